// Cutting the bonds into blocks, and keeping the blocks up to date as bonds break.
#include "bond/bond_blocks.h"

#include "base/error.h"
#include "base/memory.h"
#include "base/sort.h"
#include "bond/bond_classes.h"
#include "bond/bond_packets.h"

#include <string.h>

static int block_of(sherd_element_index element)
{
    return element / SHERD_BLOCK_ELEMENTS;
}

// ---------------------------------------------------------------- sorting

static bool permute(void *array, size_t item_size, const uint32_t *order, size_t count)
{
    if (count == 0) return true; // a world of granules has no bonds
    unsigned char *sorted = sherd_alloc(count, item_size);
    if (sorted == NULL) return false;
    const unsigned char *from = array;
    for (size_t k = 0; k < count; ++k)
        memcpy(sorted + k * item_size, from + order[k] * item_size, item_size);
    memcpy(array, sorted, count * item_size);
    sherd_free(sorted);
    return true;
}

static bool permute_all(sherd_bonds *b, const uint32_t *order)
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

// Stable sorts compose: by (i, j), then (block, kind).
static bool sort_bonds(sherd_bonds *bonds, uint32_t *order)
{
    size_t n = (size_t)bonds->count;
    sherd_sort_pair *pairs = sherd_alloc(n, sizeof *pairs);
    if (pairs == NULL) return false;
    for (size_t k = 0; k < n; ++k)
        pairs[k] =
            (sherd_sort_pair){(uint64_t)bonds->i[k] << 32 | (uint32_t)bonds->j[k], (uint32_t)k};
    bool sorted = sherd_sort_pairs(pairs, n);
    for (size_t k = 0; k < n && sorted; ++k) {
        uint32_t bond = pairs[k].value;
        uint64_t block = (uint64_t)block_of(bonds->i[bond]);
        pairs[k].key = block * SHERD_BOND_KIND_COUNT + bonds->kind[bond];
    }
    sorted = sorted && sherd_sort_pairs(pairs, n);
    for (size_t k = 0; k < n && sorted; ++k)
        order[k] = pairs[k].value;
    sherd_free(pairs);
    return sorted && permute_all(bonds, order);
}

// ---------------------------------------------------------------- building

typedef struct building {
    sherd_bond_blocks *blocks;
    const sherd_bonds *bonds;
    const uint16_t *class_of;
    const int64_t *bond_begin; // per block, and the end
    uint32_t *order;
    bool *failed; // per block
} building;

static int width_of(sherd_precision precision)
{
    return precision == SHERD_PRECISION_MIXED ? SHERD_BOND_WIDTH_MIXED : SHERD_BOND_WIDTH_DOUBLE;
}

static void build_block(void *context, size_t begin, size_t end)
{
    const building *b = context;
    for (size_t k = begin; k < end; ++k)
        b->failed[k] = !sherd_bond_block_build(
            &b->blocks->blocks[k], b->bonds, b->bond_begin[k], b->bond_begin[k + 1], b->class_of,
            b->blocks->classes, width_of(b->blocks->precision), b->order + b->bond_begin[k]);
}

static bool build_all(building *b, const sherd_parallel *parallel)
{
    size_t count = (size_t)b->blocks->count;
    sherd_parallel_for(parallel, count, 1, build_block, b);
    for (size_t k = 0; k < count; ++k)
        if (b->failed[k]) return false;
    return true;
}

// Where each block's bonds begin; they are sorted by block.
static void find_bond_ranges(const sherd_bonds *bonds, int block_count, int64_t *bond_begin)
{
    int64_t at = 0;
    for (int b = 0; b <= block_count; ++b) {
        while (at < bonds->count && block_of(bonds->i[at]) < b)
            ++at;
        bond_begin[b] = at;
    }
}

static sherd_status build_blocks(sherd_bonds *bonds, const sherd_parallel *parallel,
                                 sherd_bond_blocks *blocks, sherd_error *error)
{
    size_t bond_count = (size_t)bonds->count, count = (size_t)blocks->count;
    uint16_t *class_of = sherd_alloc(bond_count, sizeof *class_of);
    int64_t *bond_begin = sherd_alloc(count + 1, sizeof *bond_begin);
    uint32_t *order = sherd_alloc(bond_count, sizeof *order);
    bool *failed = sherd_alloc(count, sizeof *failed);
    bool done = class_of != NULL && bond_begin != NULL && order != NULL && failed != NULL &&
                sort_bonds(bonds, order) &&
                sherd_bond_classify(bonds, class_of, &blocks->classes, &blocks->class_count,
                                    error) == SHERD_OK;
    if (done) {
        find_bond_ranges(bonds, blocks->count, bond_begin);
        building b = {blocks, bonds, class_of, bond_begin, order, failed};
        done = build_all(&b, parallel) && permute_all(bonds, order);
    }
    sherd_free(class_of);
    sherd_free(bond_begin);
    sherd_free(order);
    sherd_free(failed);
    return done ? SHERD_OK : sherd_fail_memory(error, "bond blocks");
}

// ---------------------------------------------------------------- halo

static void count_halo(sherd_bond_blocks *blocks)
{
    for (int b = 0; b < blocks->count; ++b) {
        blocks->blocks[b].halo_at = blocks->halo_count;
        blocks->halo_count += blocks->blocks[b].halo_count;
    }
}

// Who gets what: sorted by element, loads of earlier blocks first.
static bool list_incoming(sherd_bond_blocks *blocks)
{
    size_t count = (size_t)blocks->halo_count;
    sherd_sort_pair *pairs = sherd_alloc(count, sizeof *pairs);
    blocks->incoming = sherd_alloc(count, sizeof *blocks->incoming);
    blocks->halo_load = sherd_alloc(count * SHERD_HALO_LOAD, sizeof *blocks->halo_load);
    bool done = pairs != NULL && blocks->incoming != NULL && blocks->halo_load != NULL;
    size_t at = 0;
    for (int b = 0; b < blocks->count && done; ++b)
        for (int32_t h = 0; h < blocks->blocks[b].halo_count; ++h, ++at)
            pairs[at] = (sherd_sort_pair){(uint64_t)blocks->blocks[b].halo[h], (uint32_t)at};
    done = done && sherd_sort_pairs(pairs, count);
    at = 0;
    for (int b = 0; b < blocks->count && done; ++b) {
        sherd_bond_block *block = &blocks->blocks[b];
        block->incoming_begin = (int64_t)at;
        for (; at < count && pairs[at].key < (uint64_t)block->end; ++at)
            blocks->incoming[at] = (sherd_incoming){(sherd_element_index)pairs[at].key,
                                                    (int64_t)pairs[at].value * SHERD_HALO_LOAD};
        block->incoming_end = (int64_t)at;
    }
    sherd_free(pairs);
    return done;
}

// ---------------------------------------------------------------- scratch

enum {
    STATE_ARRAYS = 16,
    ROW_ARRAYS = 16,
    LOAD_ARRAYS = 6,
    LOAD_ROW_ARRAYS = 8,
    PADDING = 2 * SHERD_BOND_WIDTH_MIXED
};

static bool make_scratch(sherd_bond_scratch *scratch, size_t local_count)
{
    // An odd number of cache lines apart: a power of two would make all arrays compete for the same
    // cache sets. Room for doubles whatever the precision.
    size_t stride = ((local_count + PADDING) / 8 | 1) * 8;
    double *memory = sherd_alloc(
        stride * (STATE_ARRAYS + LOAD_ARRAYS + ROW_ARRAYS + LOAD_ROW_ARRAYS), sizeof *memory);
    if (memory == NULL) return false;
    scratch->memory = memory;
    for (int c = 0; c < STATE_ARRAYS; ++c)
        scratch->state[c] = memory + stride * (size_t)c;
    for (int c = 0; c < 3; ++c) {
        scratch->force[c] = memory + stride * (size_t)(STATE_ARRAYS + c);
        scratch->torque[c] = memory + stride * (size_t)(STATE_ARRAYS + 3 + c);
    }
    scratch->rows = memory + stride * (STATE_ARRAYS + LOAD_ARRAYS);
    scratch->load_rows = memory + stride * (STATE_ARRAYS + LOAD_ARRAYS + ROW_ARRAYS);
    return true;
}

static bool make_all_scratch(sherd_bond_blocks *blocks, const sherd_parallel *parallel)
{
    size_t most = 0;
    for (int b = 0; b < blocks->count; ++b) {
        const sherd_bond_block *block = &blocks->blocks[b];
        size_t local = (size_t)(block->end - block->begin + block->halo_count);
        if (local > most) most = local;
    }
    int threads = sherd_parallel_threads(parallel);
    blocks->scratch_count = threads < blocks->count ? threads : blocks->count;
    blocks->scratch = sherd_alloc((size_t)blocks->scratch_count, sizeof *blocks->scratch);
    if (blocks->scratch == NULL) return false;
    for (int t = 0; t < blocks->scratch_count; ++t)
        if (!make_scratch(&blocks->scratch[t], most)) return false;
    return true;
}

// ---------------------------------------------------------------- all of it

sherd_status sherd_bonds_arrange(sherd_bonds *bonds, sherd_element_index element_count,
                                 sherd_precision precision, const sherd_parallel *parallel,
                                 sherd_bond_blocks *blocks, sherd_error *error)
{
    int count = (element_count + SHERD_BLOCK_ELEMENTS - 1) / SHERD_BLOCK_ELEMENTS;
    *blocks = (sherd_bond_blocks){.count = count,
                                  .precision = precision,
                                  .blocks = sherd_alloc((size_t)count, sizeof *blocks->blocks)};
    if (blocks->blocks == NULL) return sherd_fail_memory(error, "bond blocks");
    for (int b = 0; b < count; ++b) {
        blocks->blocks[b].begin = b * SHERD_BLOCK_ELEMENTS;
        int64_t end = ((int64_t)b + 1) * SHERD_BLOCK_ELEMENTS;
        blocks->blocks[b].end = end < element_count ? (sherd_element_index)end : element_count;
    }
    sherd_status status = build_blocks(bonds, parallel, blocks, error);
    if (status != SHERD_OK) return status;
    count_halo(blocks);
    if (!list_incoming(blocks) || !make_all_scratch(blocks, parallel))
        return sherd_fail_memory(error, "bond blocks");
    return SHERD_OK;
}

void sherd_bond_blocks_free(sherd_bond_blocks *blocks)
{
    for (int b = 0; b < blocks->count && blocks->blocks != NULL; ++b) {
        sherd_bond_block *block = &blocks->blocks[b];
        sherd_free(block->halo);
        sherd_free(block->groups);
        sherd_free(block->packets);
        sherd_free(block->strengths);
        sherd_free(block->loose);
        sherd_free(block->loose_found);
    }
    for (int t = 0; t < blocks->scratch_count && blocks->scratch != NULL; ++t)
        sherd_free(blocks->scratch[t].memory);
    sherd_free(blocks->blocks);
    sherd_free(blocks->classes);
    sherd_free(blocks->incoming);
    sherd_free(blocks->halo_load);
    sherd_free(blocks->scratch);
    *blocks = (sherd_bond_blocks){0};
}

size_t sherd_bond_blocks_bytes(const sherd_bond_blocks *blocks)
{
    size_t bytes = SHERD_BOND_MOST_CLASSES * sizeof *blocks->classes;
    for (int b = 0; b < blocks->count; ++b) {
        const sherd_bond_block *block = &blocks->blocks[b];
        size_t groups = (size_t)block->group_start[SHERD_BOND_KIND_COUNT];
        size_t loose = (size_t)block->loose_start[SHERD_BOND_KIND_COUNT];
        size_t packets = groups > 0 ? (size_t)block->groups[groups - 1].packet_end : 0;
        bytes += groups * sizeof *block->groups + packets * sizeof *block->packets +
                 loose * (sizeof *block->loose + sizeof *block->loose_found);
        size_t halo = (size_t)block->halo_count;
        bytes += halo * (sizeof *block->halo + sizeof *blocks->incoming +
                         SHERD_HALO_LOAD * sizeof *blocks->halo_load);
    }
    return bytes;
}

// ---------------------------------------------------------------- breaking

static void compact_loose(sherd_bond_block *block, const sherd_bonds *bonds)
{
    int32_t at = 0, begin = 0;
    for (int kind = 0; kind < SHERD_BOND_KIND_COUNT; ++kind) {
        int32_t end = block->loose_start[kind + 1];
        block->loose_start[kind] = at;
        for (int32_t k = begin; k < end; ++k)
            if (!bonds->broken[block->loose[k].bond]) block->loose[at++] = block->loose[k];
        begin = end;
    }
    block->loose_start[SHERD_BOND_KIND_COUNT] = at;
    block->loose_broken = 0;
}

static int32_t packet_count(const sherd_bond_block *block)
{
    int32_t groups = block->group_start[SHERD_BOND_KIND_COUNT];
    return groups > 0 ? block->groups[groups - 1].packet_end : 0;
}

static uint16_t intact_lanes(const sherd_bond_packet *packet, const sherd_bonds *bonds)
{
    unsigned alive = 0;
    int64_t bond = packet->bond;
    for (int lane = 0; lane < SHERD_BOND_WIDTH_MIXED; ++lane) {
        if (!(packet->lanes >> lane & 1u)) continue;
        alive |= (unsigned)!bonds->broken[bond++] << lane;
    }
    return (uint16_t)alive;
}

void sherd_bond_blocks_refresh(sherd_bond_blocks *blocks, const sherd_bonds *bonds)
{
    for (int b = 0; b < blocks->count; ++b) {
        sherd_bond_block *block = &blocks->blocks[b];
        for (int32_t k = 0; k < packet_count(block); ++k) {
            block->packets[k].alive = intact_lanes(&block->packets[k], bonds);
            block->packets[k].broken = 0;
        }
        compact_loose(block, bonds);
        block->newly_broken_count = block->loose_found_count = 0;
    }
}

bool sherd_bond_block_next_broken(const sherd_bond_block *block, sherd_broken_cursor *cursor,
                                  int64_t *bond)
{
    int32_t packets =
        block->newly_broken_count > block->loose_found_count ? packet_count(block) : 0;
    for (; cursor->packet < packets; ++cursor->packet, cursor->lane = 0) {
        const sherd_bond_packet *packet = &block->packets[cursor->packet];
        unsigned left = (unsigned)packet->broken >> cursor->lane << cursor->lane;
        if (left == 0) continue;
        int lane = __builtin_ctz(left);
        *bond = packet->bond + __builtin_popcount(packet->lanes & ((1u << lane) - 1u));
        cursor->lane = lane + 1;
        return true;
    }
    if (cursor->loose == block->loose_found_count) return false;
    *bond = block->loose[block->loose_found[cursor->loose++]].bond;
    return true;
}

void sherd_bond_block_strike(sherd_bond_block *block, const sherd_bonds *bonds)
{
    if (block->newly_broken_count > block->loose_found_count) {
        for (int32_t k = 0; k < packet_count(block); ++k) {
            block->packets[k].alive &= (uint16_t)~block->packets[k].broken;
            block->packets[k].broken = 0;
        }
    }
    block->loose_broken += block->loose_found_count;
    block->newly_broken_count = block->loose_found_count = 0;
    if (block->loose_broken * 8 > block->loose_start[SHERD_BOND_KIND_COUNT])
        compact_loose(block, bonds);
}
