// Bit sets of the elements of a block that are awake, for kernels.
//
// No intact bond joins a sleeping element with one that is awake, and the loads of sleeping
// elements are not used (stepping/sleep/rigid_sleep.h). A vector whose lanes all sleep is skipped;
// in other vectors bonds of sleeping elements are treated as broken for this pass. The loads of
// elements that are awake are the same to the last bit.
#pragma once

#include "models/bonded/storage/bond_blocks.h"

#include <string.h>

typedef struct awake_bits {
    bool all;
    uint8_t bits[SHERD_BLOCK_ELEMENTS / 8 + 3]; // by local number of own elements
} awake_bits;

static void find_awake(const sherd_elements *e, const sherd_bond_block *block, awake_bits *awake)
{
    const uint8_t *asleep = e->asleep + block->begin;
    int32_t own = block->end - block->begin;
    awake->all = memchr(asleep, 1, (size_t)own) == NULL;
    if (awake->all) return;
    memset(awake->bits, 0, sizeof awake->bits);
    for (int32_t k = 0; k < own; ++k)
        awake->bits[k / 8] |= (uint8_t)((asleep[k] ^ 1u) << k % 8);
}

// Bit l is element `at` + l; up to 16 elements.
static inline unsigned awake_from(const awake_bits *awake, int32_t at)
{
    if (__builtin_expect(awake->all, 1)) return ~0u;
    const uint8_t *bits = awake->bits + at / 8;
    return (bits[0] | (unsigned)bits[1] << 8 | (unsigned)bits[2] << 16) >> at % 8;
}

// Bit l is element at[l].
static inline unsigned awake_among(const awake_bits *awake, const int32_t *at, int count)
{
    if (__builtin_expect(awake->all, 1)) return ~0u;
    unsigned set = 0;
    for (int l = 0; l < count; ++l)
        set |= (unsigned)(awake->bits[at[l] / 8] >> at[l] % 8 & 1) << l;
    return set;
}
