// "Did you mean": the nearest of some known words.
#pragma once

#include <stddef.h>

// Stores the most similar word so far. Start zero-filled except for `word`.
typedef struct sherd_suggestion {
    const char *word; // the unknown word
    const char *best; // NULL: no word is similar enough
    int distance;
    char known[496]; // all candidates, for when none is similar; ", ..." if there are too many
} sherd_suggestion;

void sherd_suggest(sherd_suggestion *suggestion, const char *candidate);
// Fills `hint` with "did you mean 'best'?", or with all candidates, or leaves it empty.
void sherd_suggestion_hint(const sherd_suggestion *suggestion, char *hint, size_t size);
