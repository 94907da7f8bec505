#include "base/text/suggest.h"

#include <stdbool.h>
#include <stdio.h>
#include <string.h>
#include <strings.h>

enum { LONGEST = 48 };

static const char MORE[] = ", ...";

static int min_of(int a, int b)
{
    return a < b ? a : b;
}

static int is_swap(const char *a, const char *b, int i, int j)
{
    return i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1];
}

// Optimal string alignment: insertions, deletions, replacements and swaps of neighbours.
static int edit_distance(const char *a, int na, const char *b, int nb)
{
    int d[LONGEST + 1][LONGEST + 1];
    for (int i = 0; i <= na; ++i)
        d[i][0] = i;
    for (int j = 0; j <= nb; ++j)
        d[0][j] = j;
    for (int i = 1; i <= na; ++i) {
        for (int j = 1; j <= nb; ++j) {
            int replace = d[i - 1][j - 1] + (a[i - 1] != b[j - 1]);
            int best = min_of(replace, min_of(d[i - 1][j], d[i][j - 1]) + 1);
            if (is_swap(a, b, i, j)) best = min_of(best, d[i - 2][j - 2] + 1);
            d[i][j] = best;
        }
    }
    return d[na][nb];
}

static void note_candidate(sherd_suggestion *suggestion, const char *candidate)
{
    size_t used = strlen(suggestion->known), room = sizeof suggestion->known - used;
    bool full =
        used >= sizeof MORE && strcmp(suggestion->known + used - sizeof MORE + 1, MORE) == 0;
    if (full) return;
    bool fits = strlen(candidate) + 2 + sizeof MORE <= room;
    snprintf(suggestion->known + used, room, "%s%s", used > 0 && fits ? ", " : "",
             fits ? candidate : MORE);
}

// "poisson" of "poissons_ratio".
static bool is_beginning(const char *word, const char *candidate)
{
    enum { LEAST = 4 };
    size_t n = strlen(word);
    return n >= LEAST && strncasecmp(word, candidate, n) == 0;
}

void sherd_suggest(sherd_suggestion *suggestion, const char *candidate)
{
    note_candidate(suggestion, candidate);
    size_t na = strlen(suggestion->word), nb = strlen(candidate);
    if (na == 0 || nb == 0 || na > LONGEST || nb > LONGEST) return;
    int distance;
    if (strcasecmp(suggestion->word, candidate) == 0) {
        distance = 0;
    } else {
        distance = edit_distance(suggestion->word, (int)na, candidate, (int)nb);
        // A third of the longer word's letters may be wrong; of short words, one.
        int longer = (int)(na > nb ? na : nb), limit = longer < 6 ? 1 : longer / 3;
        if (distance > limit && is_beginning(suggestion->word, candidate))
            distance = LONGEST;
        else if (distance > limit || (na == 1 && nb == 1))
            return;
    }
    if (suggestion->best != NULL && suggestion->distance <= distance) return;
    suggestion->best = candidate;
    suggestion->distance = distance;
}

void sherd_suggestion_hint(const sherd_suggestion *suggestion, char *hint, size_t size)
{
    if (suggestion->best != NULL)
        snprintf(hint, size, "did you mean '%s'?", suggestion->best);
    else if (suggestion->known[0] != '\0')
        snprintf(hint, size, "known here: %s", suggestion->known);
    else
        hint[0] = '\0';
}
