// A remedy against slow iterations that costs where they are fast: applied for a spell of steps once it was needed,
// then left out to test whether it still is. Spells double while it is; after as many steps without need as the last
// spell had, the next one is short again.
#pragma once

#include <stdbool.h>
#include <stdint.h>

// Starts from zeros.
typedef struct sherd_remedy {
    int64_t left;  // steps to apply it for; below 0: steps without it and without need
    int64_t spell; // the last one [steps]; 0: none yet, or forgotten
} sherd_remedy;

static inline bool sherd_remedy_is_taken(const sherd_remedy *remedy)
{
    return remedy->left > 0;
}

// After a step; `needed`: it was slow without the remedy. Says nothing while the remedy is applied.
static inline void sherd_remedy_learn(sherd_remedy *remedy, bool needed)
{
    enum { FIRST_SPELL = 32, LONGEST_SPELL = 1024 }; // the test costs one slow step in 32 to 1024
    if (remedy->left > 0) {
        --remedy->left;
    } else if (needed) {
        remedy->spell = remedy->spell > 0 ? 2 * remedy->spell : FIRST_SPELL;
        if (remedy->spell > LONGEST_SPELL) remedy->spell = LONGEST_SPELL;
        remedy->left = remedy->spell;
    } else if (remedy->spell > 0 && --remedy->left <= -remedy->spell) {
        *remedy = (sherd_remedy){0, 0};
    }
}
