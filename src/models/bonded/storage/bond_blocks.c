// Divides the bonds into blocks.
#include "models/bonded/storage/bond_blocks.h"

#include "base/error.h"
#include "base/memory.h"
#include "base/sort.h"
#include "models/bonded/storage/bond_packets.h"
#include "models/bonded/storage/bond_slices.h"

#include <string.h>

static int block_of(const sherd_bond_blocks *blocks, sherd_element_index element)
{
    return element / blocks->length;
}

// ---------------------------------------------------------------- sorting

// Permutes an array, and reallocates it to the size it needs.
static bool permute(sherd_bond_column column, const sherd_sort_pair *order, size_t count)
{
    if (*column.array == NULL) return true;
    unsigned char *sorted = sherd_alloc(count, column.item_size);
    if (sorted == NULL) return false;
    const unsigned char *from = *column.array;
    for (size_t k = 0; k < count; ++k)
        memcpy(sorted + k * column.item_size, from + order[k].value * column.item_size,
               column.item_size);
    sherd_free(*column.array);
    *column.array = sorted;
    return true;
}

static bool is_sorted(const sherd_bonds *b)
{
    for (int64_t k = 1; k < b->count; ++k)
        if (b->i[k] < b->i[k - 1] || (b->i[k] == b->i[k - 1] && b->j[k] < b->j[k - 1]))
            return false;
    return true;
}

// Sorts bonds by i, then j. A neighbour search returns them in this order already.
static bool sort_bonds(sherd_bonds *bonds)
{
    if (is_sorted(bonds)) return true;
    size_t n = (size_t)bonds->count;
    sherd_sort_pair *pairs = sherd_alloc(n, sizeof *pairs);
    if (pairs == NULL) return false;
    for (size_t k = 0; k < n; ++k)
        pairs[k] =
            (sherd_sort_pair){(uint64_t)bonds->i[k] << 32 | (uint32_t)bonds->j[k], (uint32_t)k};
    bool done = sherd_sort_pairs(pairs, n);
    sherd_bond_column columns[SHERD_BOND_COLUMNS];
    sherd_bond_columns(bonds, columns);
    bonds->capacity =
        bonds->count; // also if memory runs short midway: arrays are at least this large
    for (int c = 0; c < SHERD_BOND_COLUMNS && done; ++c)
        done = permute(columns[c], pairs, n);
    sherd_free(pairs);
    return done;
}

// ---------------------------------------------------------------- building

typedef struct building {
    sherd_bond_blocks *blocks;
    sherd_bonds *bonds;
    const sherd_elements *elements;
    const int64_t *bond_begin; // by block, and the end
    bool *failed;              // by block
} building;

static bool make_soft_lanes(sherd_bond_block *block, const sherd_bonds *bonds)
{
    if (bonds->opening == NULL) return true;
    block->soft = sherd_alloc((size_t)sherd_bond_block_packets(block), sizeof *block->soft);
    return block->soft != NULL;
}

static void build_block(void *context, size_t begin, size_t end)
{
    const building *b = context;
    sherd_precision precision = b->blocks->precision;
    for (size_t k = begin; k < end; ++k) {
        sherd_bond_block *block = &b->blocks->blocks[k];
        b->failed[k] =
            !sherd_bond_block_build(block, b->bonds, b->bond_begin[k], b->bond_begin[k + 1],
                                    sherd_bond_width(precision)) ||
            !sherd_bond_slices_build(block, b->bonds, b->elements, precision, b->bonds->broken) ||
            !make_soft_lanes(block, b->bonds);
    }
}

static bool build_all(building *b, const sherd_parallel *parallel)
{
    size_t count = (size_t)b->blocks->count, bonds = (size_t)b->bonds->count;
    if (b->bonds->opening != NULL) {
        b->blocks->critical = sherd_alloc(bonds, sizeof *b->blocks->critical);
        if (b->blocks->critical == NULL) return false;
    }
    sherd_parallel_for(parallel, count, 1, build_block, b);
    for (size_t k = 0; k < count; ++k)
        if (b->failed[k]) return false;
    return true;
}

// Finds where each block's bonds begin; bonds are sorted by block.
static void find_bond_ranges(const sherd_bonds *bonds, const sherd_bond_blocks *blocks,
                             int64_t *bond_begin)
{
    int64_t at = 0;
    for (int b = 0; b <= blocks->count; ++b) {
        while (at < bonds->count && block_of(blocks, bonds->i[at]) < b)
            ++at;
        bond_begin[b] = at;
    }
}

static bool build_blocks(sherd_bonds *bonds, const sherd_elements *elements,
                         const sherd_parallel *parallel, sherd_bond_blocks *blocks,
                         sherd_error *error)
{
    size_t count = (size_t)blocks->count;
    int64_t *bond_begin = sherd_alloc(count + 1, sizeof *bond_begin);
    bool *failed = sherd_alloc(count, sizeof *failed);
    bool done = bond_begin != NULL && failed != NULL && sort_bonds(bonds);
    if (done) {
        find_bond_ranges(bonds, blocks, bond_begin);
        done = sherd_bonds_classify(bonds, elements, bond_begin, blocks->count, parallel, error) ==
               SHERD_OK;
    }
    if (done) {
        building b = {blocks, bonds, elements, bond_begin, failed};
        done = build_all(&b, parallel);
    }
    sherd_free(bond_begin);
    sherd_free(failed);
    return done;
}

// ---------------------------------------------------------------- halo

static void count_halo(sherd_bond_blocks *blocks)
{
    for (int b = 0; b < blocks->count; ++b) {
        blocks->blocks[b].halo_at = blocks->halo_count;
        blocks->halo_count += (int64_t)sherd_bond_halo_size(&blocks->blocks[b]);
    }
}

// The end of the part of a block's halo that starts at `begin` and lies in one other block.
static int32_t part_end(const sherd_bond_blocks *blocks, const sherd_bond_block *block,
                        int32_t begin)
{
    int32_t end = begin + 1, in = block_of(blocks, block->halo[begin]);
    while (end < block->halo_count && block_of(blocks, block->halo[end]) == in)
        ++end;
    return end;
}

// Lists the blocks that contain elements of each halo.
static bool list_halo_blocks(sherd_bond_blocks *blocks)
{
    for (int b = 0; b < blocks->count; ++b) {
        sherd_bond_block *block = &blocks->blocks[b];
        int32_t parts = 0;
        for (int32_t h = 0; h < block->halo_count; h = part_end(blocks, block, h))
            ++parts;
        block->halo_blocks = sherd_alloc((size_t)parts, sizeof *block->halo_blocks);
        if (block->halo_blocks == NULL) return false;
        for (int32_t h = 0; h < block->halo_count; h = part_end(blocks, block, h))
            block->halo_blocks[block->halo_block_count++] = block_of(blocks, block->halo[h]);
    }
    return sherd_stages_create(&blocks->stages, (size_t)blocks->count);
}

// Halos are ascending, so the loads from one block for another are a contiguous part of a halo.
// While counting, incoming_end is the number of parts; while listing, it is the next free entry.
static bool list_incoming(sherd_bond_blocks *blocks)
{
    int64_t parts = 0;
    for (int b = 0; b < blocks->count; ++b) {
        const sherd_bond_block *block = &blocks->blocks[b];
        for (int32_t h = 0; h < block->halo_count; h = part_end(blocks, block, h), ++parts)
            ++blocks->blocks[block_of(blocks, block->halo[h])].incoming_end;
    }
    blocks->incoming = sherd_alloc((size_t)parts, sizeof *blocks->incoming);
    blocks->halo_load =
        sherd_alloc((size_t)blocks->halo_count * SHERD_HALO_LOAD, sizeof *blocks->halo_load);
    if (blocks->incoming == NULL || blocks->halo_load == NULL) return false;
    int64_t at = 0;
    for (int b = 0; b < blocks->count; ++b) {
        sherd_bond_block *block = &blocks->blocks[b];
        int64_t count = block->incoming_end;
        block->incoming_begin = block->incoming_end = at;
        at += count;
    }
    for (int b = 0; b < blocks->count; ++b) {
        const sherd_bond_block *block = &blocks->blocks[b];
        for (int32_t h = 0; h < block->halo_count; h = part_end(blocks, block, h)) {
            sherd_bond_block *to = &blocks->blocks[block_of(blocks, block->halo[h])];
            blocks->incoming[to->incoming_end++] =
                (sherd_incoming){b, h, part_end(blocks, block, h)};
        }
    }
    return true;
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
    // Columns are an odd number of cache lines apart: with a power of two they would compete for
    // the same cache sets. There is room for doubles in either precision.
    size_t stride = ((local_count + PADDING) / 8 | 1) * 8;
    double *memory = sherd_alloc(
        stride * (STATE_ARRAYS + LOAD_ARRAYS + ROW_ARRAYS + LOAD_ROW_ARRAYS), sizeof *memory);
    if (memory == NULL) return false;
    scratch->memory = memory;
    scratch->stride = stride * sizeof *memory;
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
    size_t largest = 0;
    for (int b = 0; b < blocks->count; ++b) {
        const sherd_bond_block *block = &blocks->blocks[b];
        size_t local = (size_t)(block->end - block->begin + block->halo_count);
        if (local > largest) largest = local;
    }
    int threads = sherd_parallel_threads(parallel);
    blocks->scratch_count = threads < blocks->count ? threads : blocks->count;
    blocks->scratch = sherd_alloc((size_t)blocks->scratch_count, sizeof *blocks->scratch);
    if (blocks->scratch == NULL) return false;
    for (int t = 0; t < blocks->scratch_count; ++t)
        if (!make_scratch(&blocks->scratch[t], largest)) return false;
    return true;
}

// ---------------------------------------------------------------- all of it

// A number of blocks divisible by 2, 4 or 8 threads, so that no thread waits for the last block.
static int even_count(sherd_element_index elements)
{
    int count = (elements + SHERD_BLOCK_ELEMENTS - 1) / SHERD_BLOCK_ELEMENTS;
    if (elements < SHERD_BLOCKS_SHARED) return count;
    return count <= 4 ? 4 : (count + 7) / 8 * 8;
}

static sherd_status make_blocks(sherd_bond_blocks *blocks, sherd_element_index elements,
                                sherd_error *error)
{
    const sherd_element_index together = 64;
    int wanted = even_count(elements);
    sherd_element_index length = wanted > 0 ? (elements + wanted - 1) / wanted : 1;
    blocks->length = (length + together - 1) / together * together;
    blocks->count = (elements + blocks->length - 1) / blocks->length;
    blocks->blocks = sherd_alloc((size_t)blocks->count, sizeof *blocks->blocks);
    if (blocks->blocks == NULL) return sherd_fail_memory(error, "bond blocks");
    for (int b = 0; b < blocks->count; ++b) {
        blocks->blocks[b].begin = b * blocks->length;
        int64_t end = ((int64_t)b + 1) * blocks->length;
        blocks->blocks[b].end = end < elements ? (sherd_element_index)end : elements;
    }
    return SHERD_OK;
}

sherd_status sherd_bonds_arrange(sherd_bonds *bonds, const sherd_elements *elements,
                                 sherd_precision precision, const sherd_parallel *parallel,
                                 sherd_bond_blocks *blocks, sherd_error *error)
{
    *blocks = (sherd_bond_blocks){.precision = precision, .criteria = sherd_breakage_rows};
    sherd_status status = make_blocks(blocks, elements->count, error);
    if (status != SHERD_OK) return status;
    if (!build_blocks(bonds, elements, parallel, blocks, error))
        return sherd_fail_memory(error, "bond blocks");
    sherd_bonds_begin_histories(bonds, elements, parallel);
    count_halo(blocks);
    if (!list_halo_blocks(blocks) || !list_incoming(blocks) ||
        !make_all_scratch(blocks, parallel) ||
        !sherd_element_criterion_build(&blocks->criterion, bonds, elements))
        return sherd_fail_memory(error, "bond blocks");
    return SHERD_OK;
}

void sherd_bond_blocks_free(sherd_bond_blocks *blocks)
{
    for (int b = 0; b < blocks->count && blocks->blocks != NULL; ++b) {
        sherd_bond_block *block = &blocks->blocks[b];
        sherd_free(block->halo);
        sherd_free(block->carrier);
        sherd_free(block->halo_blocks);
        sherd_free(block->groups);
        sherd_free(block->packets);
        sherd_free(block->strengths);
        sherd_free(block->soft);
        sherd_bond_slices_free(&block->slices);
    }
    for (int t = 0; t < blocks->scratch_count && blocks->scratch != NULL; ++t)
        sherd_free(blocks->scratch[t].memory);
    sherd_free(blocks->blocks);
    sherd_free(blocks->incoming);
    sherd_free(blocks->halo_load);
    sherd_free(blocks->scratch);
    sherd_free(blocks->critical);
    sherd_softening_list_free(&blocks->softening);
    sherd_element_criterion_free(&blocks->criterion);
    sherd_stages_free(&blocks->stages);
    *blocks = (sherd_bond_blocks){0};
}

size_t sherd_bond_blocks_bytes(const sherd_bond_blocks *blocks)
{
    size_t width = (size_t)sherd_bond_width(blocks->precision);
    size_t a_load = SHERD_HALO_LOAD * sizeof *blocks->halo_load;
    size_t bytes =
        (size_t)blocks->count * (sizeof *blocks->blocks + sizeof *blocks->stages.reached) +
        (size_t)blocks->halo_count * a_load + sherd_softening_list_bytes(&blocks->softening) +
        sherd_element_criterion_bytes(&blocks->criterion);
    for (int b = 0; b < blocks->count; ++b) {
        const sherd_bond_block *block = &blocks->blocks[b];
        size_t groups = (size_t)block->group_start[SHERD_BOND_KIND_COUNT];
        bytes += groups * sizeof *block->groups + (size_t)block->halo_count * sizeof *block->halo +
                 sherd_bond_slices_bytes(&block->slices, blocks->precision);
        size_t strengths = block->strengths != NULL ? width * sizeof *block->strengths : 0;
        size_t soft = block->soft != NULL ? sizeof *block->soft : 0;
        bytes +=
            (size_t)sherd_bond_block_packets(block) * (sizeof *block->packets + strengths + soft) +
            (size_t)(block->incoming_end - block->incoming_begin) * sizeof *blocks->incoming;
        if (block->carrier != NULL)
            bytes +=
                (size_t)(block->end - block->begin + block->halo_count) * sizeof *block->carrier;
        if (blocks->critical != NULL)
            bytes += (size_t)(block->bond_end - block->bond_begin) * sizeof *blocks->critical;
    }
    return bytes;
}
