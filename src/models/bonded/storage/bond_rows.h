// Groups of a block's elements that are consecutive along a row of a lattice.
//
// A *group* is a run of up to 8 or 16 consecutive elements, each bonded to the next one. Neighbours
// in other rows are then consecutive too: most bonds of a group join elements i + k and j + k and
// have one *offset* j - i.
#pragma once

#include "base/sort.h"
#include "models/bonded/storage/bond_blocks.h"

typedef struct sherd_bond_rows {
    const sherd_bond_block *block; // borrowed
    const sherd_bonds *bonds;      // borrowed
    int32_t *group_of;             // by own element; owned
    int32_t *first_of;             // by group: local number of its first element; owned
} sherd_bond_rows;

// Finds the groups of a block whose bonds and halo are known. Groups do not change when bonds
// break. Returns false if memory runs short.
bool sherd_bond_rows_find(sherd_bond_rows *rows, const sherd_bond_block *block,
                          const sherd_bonds *bonds, int width);
void sherd_bond_rows_free(sherd_bond_rows *rows);

// Sort key below 2^38: equal for bonds of one group and offset, ascending with groups.
uint64_t sherd_bond_rows_key(const sherd_bond_rows *rows, int64_t bond);

static inline int32_t sherd_bond_rows_first(const sherd_bond_rows *rows, int64_t bond)
{
    return rows->first_of[rows->group_of[rows->bonds->i[bond] - rows->block->begin]];
}

// Difference of the local numbers of a bond's ends.
static inline int32_t sherd_bond_rows_offset(const sherd_bond_rows *rows, int64_t bond)
{
    int32_t i = rows->bonds->i[bond] - rows->block->begin;
    return sherd_bond_block_local(rows->block, rows->bonds->j[bond]) - i;
}

// The number of pairs from `at` on that have equal keys.
static inline int32_t sherd_bond_run_length(const sherd_sort_pair *pairs, size_t at, size_t count)
{
    int32_t length = 1;
    while (at + (size_t)length < count && pairs[at + (size_t)length].key == pairs[at].key)
        ++length;
    return length;
}
