// "Did you mean": the nearest of some known words.
#pragma once

#include <stddef.h>

// Keeps the nearest word seen so far. Start zero-filled except for `word`.
typedef struct sherd_suggestion {
    const char *word; // what was typed
    const char *best; // NULL: nothing near enough
    int distance;
    char known[496]; // all candidates, for when none is near; ", ..." where they are too many
} sherd_suggestion;

void sherd_suggest(sherd_suggestion *suggestion, const char *candidate);
// Fills `hint` with "did you mean 'best'?", or with all there is, or leaves it empty.
void sherd_suggestion_hint(const sherd_suggestion *suggestion, char *hint, size_t size);
