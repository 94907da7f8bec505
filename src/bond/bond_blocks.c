// Walking order of bonds and the blocks' lists.
#include "base/error.h"
#include "base/memory.h"
#include "base/sort.h"
#include "bond/bonds.h"

#include <string.h>

static int block_of(sherd_element_index element)
{
    return element / SHERD_BLOCK_ELEMENTS;
}

// ---------------------------------------------------------------- sorting

static bool permute(void *array, size_t item_size, const sherd_sort_pair *order, size_t count)
{
    if (count == 0) return true; // a world of granules has no bonds
    unsigned char *sorted = sherd_alloc(count, item_size);
    if (sorted == NULL) return false;
    const unsigned char *from = array;
    for (size_t k = 0; k < count; ++k)
        memcpy(sorted + k * item_size, from + order[k].value * item_size, item_size);
    memcpy(array, sorted, count * item_size);
    sherd_free(sorted);
    return true;
}

static bool permute_all(sherd_bonds *b, const sherd_sort_pair *order)
{
    size_t n = (size_t)b->count;
    double *columns[] = {b->d0x, b->d0y, b->d0z,  b->l0,      b->r0,
                         b->E,   b->G,   b->beta, b->sigma_c, b->tau_c};
    bool done = permute(b->i, sizeof *b->i, order, n) && permute(b->j, sizeof *b->j, order, n) &&
                permute(b->kind, 1, order, n) && permute(b->broken, 1, order, n);
    for (size_t c = 0; c < sizeof columns / sizeof columns[0] && done; ++c)
        done = permute(columns[c], sizeof(double), order, n);
    return done;
}

// Stable sorts compose: by j, then i, then (block, kind, inner or near).
static bool sort_bonds(sherd_bonds *bonds, sherd_sort_pair *order)
{
    size_t n = (size_t)bonds->count;
    for (size_t k = 0; k < n; ++k)
        order[k] =
            (sherd_sort_pair){(uint64_t)bonds->i[k] << 32 | (uint32_t)bonds->j[k], (uint32_t)k};
    if (!sherd_sort_pairs(order, n)) return false;
    for (size_t k = 0; k < n; ++k) {
        uint32_t bond = order[k].value;
        uint64_t block = (uint64_t)block_of(bonds->i[bond]);
        uint64_t near = block_of(bonds->j[bond]) != block_of(bonds->i[bond]);
        order[k].key = (block * SHERD_BOND_KIND_COUNT + bonds->kind[bond]) * 2 + near;
    }
    return sherd_sort_pairs(order, n) && permute_all(bonds, order);
}

// ---------------------------------------------------------------- lists

static int segment_of(uint8_t kind, sherd_bond_role role)
{
    return kind * SHERD_BOND_ROLE_COUNT + (int)role;
}

static sherd_bond_role owner_role(const sherd_bonds *bonds, int64_t bond)
{
    return block_of(bonds->i[bond]) == block_of(bonds->j[bond]) ? SHERD_BOND_INNER
                                                                : SHERD_BOND_NEAR;
}

// Calls for the owner block and, for bonds between blocks, for the far one.
static void count_or_fill(const sherd_bonds *bonds, sherd_bond_blocks *blocks, int fill)
{
    for (int64_t k = 0; k < bonds->count; ++k) {
        sherd_bond_role role = owner_role(bonds, k);
        sherd_bond_block *owner = &blocks->blocks[block_of(bonds->i[k])];
        int32_t *at = &owner->start[segment_of(bonds->kind[k], role) + 1];
        if (fill) owner->list[*at] = (int32_t)k;
        ++*at;
        if (role == SHERD_BOND_INNER) continue;
        sherd_bond_block *other = &blocks->blocks[block_of(bonds->j[k])];
        at = &other->start[segment_of(bonds->kind[k], SHERD_BOND_FAR) + 1];
        if (fill) other->list[*at] = (int32_t)k;
        ++*at;
    }
}

enum { SEGMENTS = SHERD_BOND_KIND_COUNT * SHERD_BOND_ROLE_COUNT };

static bool allocate_lists(sherd_bond_block *block)
{
    size_t owned = 0, total = 0;
    for (int s = 0; s < SEGMENTS; ++s) {
        size_t length = (size_t)block->start[s + 1];
        total += length;
        if (s % SHERD_BOND_ROLE_COUNT != SHERD_BOND_FAR) owned += length;
    }
    block->list = sherd_alloc(total, sizeof *block->list);
    block->newly_broken = sherd_alloc(owned, sizeof *block->newly_broken);
    return block->list != NULL && block->newly_broken != NULL;
}

// From segment lengths in start[s + 1] to running positions that count_or_fill advances, so that
// afterwards start[s] .. start[s + 1] are the segments.
static void lengths_to_positions(sherd_bond_block *block)
{
    int32_t at = 0;
    for (int s = 0; s < SEGMENTS; ++s) {
        int32_t length = block->start[s + 1];
        block->start[s + 1] = at;
        at += length;
    }
}

sherd_status sherd_bonds_arrange(sherd_bonds *bonds, sherd_element_index element_count,
                                 sherd_bond_blocks *blocks, sherd_error *error)
{
    sherd_sort_pair *order = sherd_alloc((size_t)bonds->count, sizeof *order);
    bool sorted = order != NULL && sort_bonds(bonds, order);
    sherd_free(order);
    if (!sorted) return sherd_fail_memory(error, "bond order");

    int count = (element_count + SHERD_BLOCK_ELEMENTS - 1) / SHERD_BLOCK_ELEMENTS;
    size_t n = (size_t)element_count;
    *blocks = (sherd_bond_blocks){count, sherd_alloc((size_t)count, sizeof *blocks->blocks),
                                  sherd_alloc(n * SHERD_PACKED_STATE, sizeof(double)),
                                  sherd_alloc(n * SHERD_PACKED_LOAD, sizeof(double))};
    if (blocks->blocks == NULL || blocks->state == NULL || blocks->load == NULL)
        return sherd_fail_memory(error, "bond blocks");
    for (int b = 0; b < count; ++b) {
        blocks->blocks[b].begin = b * SHERD_BLOCK_ELEMENTS;
        sherd_element_index end = (b + 1) * SHERD_BLOCK_ELEMENTS;
        blocks->blocks[b].end = end < element_count ? end : element_count;
    }
    count_or_fill(bonds, blocks, 0);
    for (int b = 0; b < count; ++b) {
        if (!allocate_lists(&blocks->blocks[b])) return sherd_fail_memory(error, "bond blocks");
        lengths_to_positions(&blocks->blocks[b]);
    }
    count_or_fill(bonds, blocks, 1);
    return SHERD_OK;
}

static void compact_block(sherd_bond_block *block, const sherd_bonds *bonds)
{
    int32_t at = 0, begin = 0;
    for (int s = 0; s < SEGMENTS; ++s) {
        int32_t end = block->start[s + 1];
        block->start[s] = at;
        for (int32_t k = begin; k < end; ++k)
            if (!bonds->broken[block->list[k]]) block->list[at++] = block->list[k];
        begin = end;
    }
    block->start[SEGMENTS] = at;
    block->broken_in_list = 0;
}

void sherd_bond_blocks_compact(sherd_bond_blocks *blocks, const sherd_bonds *bonds, int all)
{
    for (int b = 0; b < blocks->count; ++b) {
        sherd_bond_block *block = &blocks->blocks[b];
        if (all || block->broken_in_list * 8 > block->start[SEGMENTS]) compact_block(block, bonds);
    }
}

void sherd_bond_blocks_free(sherd_bond_blocks *blocks)
{
    for (int b = 0; b < blocks->count && blocks->blocks != NULL; ++b) {
        sherd_free(blocks->blocks[b].list);
        sherd_free(blocks->blocks[b].newly_broken);
    }
    sherd_free(blocks->blocks);
    sherd_free(blocks->state);
    sherd_free(blocks->load);
    *blocks = (sherd_bond_blocks){0};
}
