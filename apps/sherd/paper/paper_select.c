#include "paper/paper_select.h"

#include "message.h"
#include "paper/paper_items.h"

#include <stdio.h>
#include <string.h>

// A method's rows have this word in their labels.
static const struct {
    const char *name, *label;
} METHODS[] = {
    {"springs", "mass-spring"},     {"peridynamics", "peridynamics"},
    {"cd-mpm", "CD-MPM"},           {"fem", "FEM"},
    {"algorithm-1", "Algorithm 1"}, {"algorithm-3", "Algorithm 3"},
    {"right-point", "right-point"}, {"naive", "naive"},
    {"penalty", "penalty"},
};

// The label's word of a method; NULL: there is no method of this name.
static const char *method_label(const char *name)
{
    for (int k = 0; name != NULL && k < PAPER_COUNT(METHODS); ++k)
        if (strcmp(METHODS[k].name, name) == 0) return METHODS[k].label;
    return NULL;
}

bool paper_row_is_asked_for(const paper_item *item, const paper_row *row,
                            const command_options *options)
{
    const char *name = options->input, *label = method_label(name);
    if (options->only != NULL && strcmp(options->only, row->label) != 0) return false;
    if (label != NULL) return row->scene != NULL && strstr(row->label, label) != NULL;
    return name == NULL || strncmp(item->name, name, strlen(name)) == 0;
}

bool paper_item_is_asked_for(const paper_item *item, const command_options *options)
{
    for (int r = 0; r < item->row_count; ++r)
        if (paper_row_is_asked_for(item, &item->rows[r], options)) return true;
    return false;
}

void paper_method_names(char names[PAPER_METHOD_NAMES])
{
    size_t used = 0;
    for (int k = 0; k < PAPER_COUNT(METHODS); ++k)
        used += (size_t)snprintf(names + used, PAPER_METHOD_NAMES - used, "%s%s", k > 0 ? ", " : "",
                                 METHODS[k].name);
}

// ---------------------------------------------------------------- names that nothing has

enum { LONGEST = 64 };

// Letters to insert, leave out or replace to get from one word to the other.
static int edit_distance(const char *a, const char *b)
{
    int row[LONGEST + 1], n = (int)strlen(b);
    if (n > LONGEST) return n;
    for (int j = 0; j <= n; ++j)
        row[j] = j;
    for (int i = 1; a[i - 1] != '\0'; ++i) {
        int corner = row[0];
        row[0] = i;
        for (int j = 1; j <= n; ++j) {
            int replaced = corner + (a[i - 1] != b[j - 1]);
            int other = (row[j] < row[j - 1] ? row[j] : row[j - 1]) + 1;
            corner = row[j];
            row[j] = replaced < other ? replaced : other;
        }
    }
    return row[n];
}

typedef struct nearest {
    const char *word, *best; // best NULL: none is near enough
    int distance;
} nearest;

// A name that contains the word is nearer than any that is spelt otherwise.
static void consider(nearest *n, const char *candidate)
{
    int distance = strstr(candidate, n->word) != NULL ? 0 : edit_distance(n->word, candidate);
    if (distance >= n->distance) return;
    n->best = candidate;
    n->distance = distance;
}

int paper_nothing_found(const command_options *options)
{
    if (options->only != NULL)
        return message_usage("no table or figure has this row", options->only,
                             "sherd paper --list");
    // Three letters wrong, or in short words half of them and one.
    int length = (int)strlen(options->input);
    nearest n = {options->input, NULL, length < 5 ? length / 2 + 2 : 4};
    for (int k = 0; k < paper_item_count(); ++k)
        consider(&n, paper_item_get(k)->name);
    for (int k = 0; k < PAPER_COUNT(METHODS); ++k)
        consider(&n, METHODS[k].name);
    char names[PAPER_METHOD_NAMES], hint[PAPER_METHOD_NAMES + 160];
    paper_method_names(names);
    snprintf(hint, sizeof hint, "%s%s%smethods: %s; tables and figures: sherd paper --list",
             n.best != NULL ? "did you mean '" : "", n.best != NULL ? n.best : "",
             n.best != NULL ? "'? " : "", names);
    return message_usage("unknown table, figure or method", options->input, hint);
}
