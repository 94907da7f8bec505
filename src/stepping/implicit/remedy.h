// A remedy against slow iterations that costs time if they are fast. Once needed, it is applied for
// a number of steps, then switched off to test whether it still is. The number doubles while it is
// needed; after as many steps without need, it starts again from the smallest.
#pragma once

#include <stdbool.h>
#include <stdint.h>

// Valid when zero-filled.
typedef struct sherd_remedy {
    int64_t remaining; // remaining steps; negative: steps without it and without need
    int64_t period;    // the last number of steps; 0: none yet, or reset
} sherd_remedy;

static inline bool sherd_remedy_is_applied(const sherd_remedy *remedy)
{
    return remedy->remaining > 0;
}

// After a step; `needed`: it was slow without the remedy. Has no effect while the remedy is
// applied.
static inline void sherd_remedy_learn(sherd_remedy *remedy, bool needed)
{
    enum { FIRST_PERIOD = 32, LONGEST_PERIOD = 1024 }; // the test costs one slow step in 32 to 1024
    if (remedy->remaining > 0) {
        --remedy->remaining;
    } else if (needed) {
        remedy->period = remedy->period > 0 ? 2 * remedy->period : FIRST_PERIOD;
        if (remedy->period > LONGEST_PERIOD) remedy->period = LONGEST_PERIOD;
        remedy->remaining = remedy->period;
    } else if (remedy->period > 0 && --remedy->remaining <= -remedy->period) {
        *remedy = (sherd_remedy){0, 0};
    }
}
