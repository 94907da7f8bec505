// Instruction sets that tests ask for. What the machine or its cap, SHERD_SIMD, does not leave is left out with a word.
#pragma once

#include <sherd/simd.h>

#include <stdbool.h>
#include <stdio.h>

// Chooses a level; false, with a line that says so, where it is not to be had. (A warning of Criterion's log makes the
// program fail, and what it skips it tells with --verbose only.)
static inline bool use_level_if_there(const char *level)
{
    sherd_error error;
    if (sherd_simd_choose(level, &error) == SHERD_OK) return true;
    printf("not tested with %s: %s\n", level, error.what);
    fflush(stdout);
    return false;
}
