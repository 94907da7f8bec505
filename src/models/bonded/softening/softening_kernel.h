// Computes softening bonds, one vector after the other; compiled once per instruction set.
#pragma once

#include "models/bonded/softening/softening_list.h"

typedef struct sherd_softening_work {
    const sherd_elements *elements;
    const sherd_breakage_info *criteria; // by sherd_breakage
    const sherd_softening_bond *bonds;
    sherd_softening_result *results;
    const float *opening; // by bond
} sherd_softening_work;

// Computes results [begin, end) and their sums.
typedef void sherd_softening_function(const sherd_softening_work *work, int32_t begin, int32_t end,
                                      sherd_softening_sum *sum);

sherd_softening_function sherd_softening_baseline;
sherd_softening_function sherd_softening_avx2;   // x86-64 only
sherd_softening_function sherd_softening_avx512; // x86-64 only
