// The arithmetic of softening bonds, one vector of them after the other; compiled once per instruction set.
#pragma once

#include "models/bonded/softening/softening_list.h"

typedef struct sherd_softening_work {
    const sherd_elements *elements;
    const sherd_breakage_info *criteria; // by number
    const sherd_softening_bond *bonds;
    sherd_softening_result *results;
    const float *opening; // of all bonds
} sherd_softening_work;

// Fills results [begin, end), and sums them up.
typedef void sherd_softening_function(const sherd_softening_work *work, int32_t begin, int32_t end,
                                      sherd_softening_sum *sum);

sherd_softening_function sherd_softening_baseline;
sherd_softening_function sherd_softening_avx2;   // x86-64 only
sherd_softening_function sherd_softening_avx512; // x86-64 only
