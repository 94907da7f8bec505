#include "models/bonded/storage/bond_rows.h"

#include "base/memory.h"

static int32_t own_count(const sherd_bond_rows *rows)
{
    return rows->block->end - rows->block->begin;
}

// A group ends where the bond to the next element is missing, or when it is full.
static bool number_groups(sherd_bond_rows *rows, int width)
{
    const sherd_bond_block *block = rows->block;
    const sherd_bonds *bonds = rows->bonds;
    bool *linked =
        sherd_alloc((size_t)own_count(rows), sizeof *linked); // bonded to the previous element
    if (linked == NULL) return false;
    for (int64_t k = block->bond_begin; k < block->bond_end; ++k)
        if (bonds->j[k] == bonds->i[k] + 1 && bonds->j[k] < block->end)
            linked[bonds->j[k] - block->begin] = true;
    int32_t group = -1;
    for (int32_t e = 0; e < own_count(rows); ++e) {
        if (group < 0 || !linked[e] || e - rows->first_of[group] == width)
            rows->first_of[++group] = e;
        rows->group_of[e] = group;
    }
    sherd_free(linked);
    return true;
}

bool sherd_bond_rows_find(sherd_bond_rows *rows, const sherd_bond_block *block,
                          const sherd_bonds *bonds, int width)
{
    *rows = (sherd_bond_rows){.block = block, .bonds = bonds};
    rows->group_of = sherd_alloc((size_t)own_count(rows), sizeof *rows->group_of);
    rows->first_of = sherd_alloc((size_t)own_count(rows), sizeof *rows->first_of);
    return rows->group_of != NULL && rows->first_of != NULL && number_groups(rows, width);
}

void sherd_bond_rows_free(sherd_bond_rows *rows)
{
    sherd_free(rows->group_of);
    sherd_free(rows->first_of);
    *rows = (sherd_bond_rows){0};
}

// Even offsets come before odd ones: consecutive runs then seldom write to the same elements, which
// would make them wait.
uint64_t sherd_bond_rows_key(const sherd_bond_rows *rows, int64_t bond)
{
    uint64_t offset = (uint64_t)sherd_bond_rows_offset(rows, bond);
    uint64_t spread = (offset & 1u) << 23 | offset >> 1;
    int32_t i = rows->bonds->i[bond] - rows->block->begin;
    return (uint64_t)rows->group_of[i] << 24 | spread;
}
