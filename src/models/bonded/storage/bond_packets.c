#include "models/bonded/storage/bond_packets.h"

#include "base/assertion.h"
#include "base/memory.h"
#include "base/sort.h"
#include "models/bonded/storage/bond_rows.h"

#include <stdlib.h>
#include <string.h>

// The fewest bonds of a packet, if other packets are full.
enum { MIN_LANES = 3 };

typedef struct builder {
    sherd_bond_block *block;
    sherd_bonds *bonds;
    int64_t begin, end;
    int width;
    uint32_t *order; // new order of the block's bonds, relative to `begin`
    uint32_t *loose; // bonds of one kind
    sherd_bond_rows rows;
    sherd_sort_pair *pairs;
    bool with_packets;
    // Counters while building:
    int64_t stored;
    int32_t group_count, packet_count;
} builder;

// ---------------------------------------------------------------- halo

static bool collect_halo(builder *b)
{
    sherd_bond_block *block = b->block;
    size_t found = 0;
    for (int64_t k = b->begin; k < b->end; ++k)
        if (b->bonds->j[k] >= block->end)
            b->pairs[found++] = (sherd_sort_pair){(uint64_t)b->bonds->j[k], 0};
    if (!sherd_sort_pairs(b->pairs, found)) return false;
    size_t unique = 0;
    for (size_t k = 0; k < found; ++k)
        if (k == 0 || b->pairs[k].key != b->pairs[unique - 1].key) b->pairs[unique++] = b->pairs[k];
    block->halo = sherd_alloc(unique, sizeof *block->halo);
    if (block->halo == NULL) return false;
    for (size_t k = 0; k < unique; ++k)
        block->halo[k] = (sherd_element_index)b->pairs[k].key;
    block->halo_count = (int32_t)unique;
    return true;
}

// ---------------------------------------------------------------- packets

// The bonds of one packet have equal keys.
static uint64_t packet_key(const builder *b, int64_t bond)
{
    uint64_t kind = sherd_bond_kind_of(b->bonds, bond);
    return (kind << 38 | sherd_bond_rows_key(&b->rows, bond)) << 16 | b->bonds->class_index[bond];
}

static int kind_of_key(uint64_t key)
{
    return (int)(key >> 54);
}

// Stores the strength factors of the last packet; lanes without a bond get 1.
static void store_strengths(const builder *b, const sherd_sort_pair *run, int32_t count,
                            int32_t first)
{
    float *factor = b->block->strengths + (size_t)(b->packet_count - 1) * (size_t)b->width;
    for (int k = 0; k < b->width; ++k)
        factor[k] = 1.0F;
    for (int32_t k = 0; k < count; ++k) {
        int64_t bond = run[k].value;
        factor[b->bonds->i[bond] - b->block->begin - first] = b->bonds->strength[bond];
    }
}

static void add_packet(builder *b, const sherd_sort_pair *run, int32_t count)
{
    sherd_bond_block *block = b->block;
    int32_t first = sherd_bond_rows_first(&b->rows, run[0].value);
    int32_t offset = sherd_bond_rows_offset(&b->rows, run[0].value);
    sherd_bond_packet *packet = &block->packets[b->packet_count++];
    *packet = (sherd_bond_packet){.j = first + offset,
                                  .bond = (int32_t)(b->begin + b->stored),
                                  .class_index = b->bonds->class_index[run[0].value]};
    for (int32_t k = 0; k < count; ++k) {
        int64_t bond = run[k].value;
        unsigned lane = 1u << (b->bonds->i[bond] - block->begin - first);
        packet->lanes |= (uint16_t)lane;
        if (!b->bonds->broken[bond]) packet->alive |= (uint16_t)lane;
        b->order[b->stored++] = (uint32_t)bond;
    }
    if (b->bonds->strength != NULL) store_strengths(b, run, count, first);
}

static bool fits_packet(const builder *b, const sherd_sort_pair *run, int32_t length)
{
    return length >= MIN_LANES && b->bonds->class_index[run[0].value] < SHERD_BOND_OWN;
}

// A packet takes as long as one vector of loose bonds, which are packed more densely where rows are
// short. With three of sixteen lanes in use, loose bonds take half the time but more memory.
static bool packets_are_faster(const builder *b, size_t count)
{
    int64_t packets = 0, lanes = 0;
    for (size_t k = 0; k < count;) {
        int32_t length = sherd_bond_run_length(b->pairs, k, count);
        if (fits_packet(b, &b->pairs[k], length)) ++packets, lanes += length;
        k += (size_t)length;
    }
    return 2 * lanes >= packets * b->width;
}

static bool is_packet(const builder *b, const sherd_sort_pair *run, int32_t length)
{
    return b->with_packets && fits_packet(b, run, length);
}

// Makes the packets of one kind, by group; their bonds come next in the new order.
static void store_packets(builder *b, int kind, size_t at, size_t end)
{
    sherd_bond_block *block = b->block;
    block->group_start[kind] = b->group_count;
    for (size_t k = at; k < end;) {
        int32_t length = sherd_bond_run_length(b->pairs, k, end);
        if (is_packet(b, &b->pairs[k], length)) {
            int32_t first = sherd_bond_rows_first(&b->rows, b->pairs[k].value);
            bool same = b->group_count > block->group_start[kind] &&
                        block->groups[b->group_count - 1].i == first;
            if (!same) block->groups[b->group_count++].i = first;
            add_packet(b, &b->pairs[k], length);
            block->groups[b->group_count - 1].packet_end = b->packet_count;
        }
        k += (size_t)length;
    }
    block->group_start[kind + 1] = b->group_count;
}

static int ascending(const void *a, const void *b)
{
    uint32_t x = *(const uint32_t *)a, y = *(const uint32_t *)b;
    return (x > y) - (x < y);
}

// Loose bonds stay in the order of i, j.
static void store_loose(builder *b, int kind, size_t at, size_t end)
{
    int32_t count = 0;
    for (size_t k = at; k < end;) {
        int32_t length = sherd_bond_run_length(b->pairs, k, end);
        if (!is_packet(b, &b->pairs[k], length))
            for (size_t m = k; m < k + (size_t)length; ++m)
                b->loose[count++] = b->pairs[m].value;
        k += (size_t)length;
    }
    qsort(b->loose, (size_t)count, sizeof *b->loose, ascending);
    b->block->loose_first[kind] = b->begin + b->stored;
    b->block->loose_count[kind] = count;
    memcpy(b->order + b->stored, b->loose, (size_t)count * sizeof *b->loose);
    b->stored += count;
}

static void permute(void *array, size_t item_size, const builder *b, unsigned char *scratch)
{
    if (array == NULL) return;
    size_t count = (size_t)(b->end - b->begin);
    const unsigned char *from = array;
    for (size_t k = 0; k < count; ++k)
        memcpy(scratch + k * item_size, from + b->order[k] * item_size, item_size);
    memcpy((unsigned char *)array + (size_t)b->begin * item_size, scratch, count * item_size);
}

// Permutes the block's bonds into their new order.
static bool permute_all(const builder *b)
{
    sherd_bond_column columns[SHERD_BOND_COLUMNS];
    sherd_bond_columns(b->bonds, columns);
    size_t largest = 0;
    for (int c = 0; c < SHERD_BOND_COLUMNS; ++c)
        largest = columns[c].item_size > largest ? columns[c].item_size : largest;
    unsigned char *scratch = sherd_alloc((size_t)(b->end - b->begin), largest);
    if (scratch == NULL) return false;
    for (int c = 0; c < SHERD_BOND_COLUMNS; ++c)
        permute(*columns[c].array, columns[c].item_size, b, scratch);
    sherd_free(scratch);
    return true;
}

// ---------------------------------------------------------------- memory

// Reallocates a list to its final size.
static bool trim(void **list, size_t count, size_t item_size)
{
    size_t capacity = 0;
    void *exact = NULL;
    if (!sherd_grow(&exact, &capacity, count, item_size)) return false;
    memcpy(exact, *list, count * item_size);
    sherd_free(*list);
    *list = exact;
    return true;
}

static bool allocate(builder *b)
{
    sherd_bond_block *block = b->block;
    size_t bonds = (size_t)(b->end - b->begin);
    b->pairs = sherd_alloc(bonds, sizeof *b->pairs);
    // a group has at least one packet
    block->groups = sherd_alloc(bonds / MIN_LANES, sizeof *block->groups);
    block->packets = sherd_alloc(bonds / MIN_LANES, sizeof *block->packets);
    if (b->bonds->strength != NULL)
        block->strengths =
            sherd_alloc(bonds / MIN_LANES * (size_t)b->width, sizeof *block->strengths);
    b->order = sherd_alloc(bonds, sizeof *b->order);
    b->loose = sherd_alloc(bonds, sizeof *b->loose);
    return b->pairs != NULL && block->groups != NULL && block->packets != NULL &&
           (b->bonds->strength == NULL || block->strengths != NULL) && b->order != NULL &&
           b->loose != NULL;
}

static bool trim_lists(builder *b)
{
    sherd_bond_block *block = b->block;
    return trim((void **)&block->groups, (size_t)b->group_count, sizeof *block->groups) &&
           trim((void **)&block->packets, (size_t)b->packet_count, sizeof *block->packets) &&
           (block->strengths == NULL ||
            trim((void **)&block->strengths, (size_t)b->packet_count * (size_t)b->width,
                 sizeof *block->strengths));
}

static bool fill(builder *b)
{
    if (!collect_halo(b) || !sherd_bond_rows_find(&b->rows, b->block, b->bonds, b->width))
        return false;
    size_t count = (size_t)(b->end - b->begin);
    for (size_t k = 0; k < count; ++k)
        b->pairs[k] = (sherd_sort_pair){packet_key(b, b->begin + (int64_t)k),
                                        (uint32_t)(b->begin + (int64_t)k)};
    if (!sherd_sort_pairs(b->pairs, count)) return false;
    b->with_packets = packets_are_faster(b, count);
    size_t at = 0;
    for (int kind = 0; kind < SHERD_BOND_KIND_COUNT; ++kind) {
        size_t end = at;
        while (end < count && kind_of_key(b->pairs[end].key) == kind)
            ++end;
        store_packets(b, kind, at, end);
        store_loose(b, kind, at, end);
        at = end;
    }
    return trim_lists(b) && permute_all(b);
}

bool sherd_bond_block_build(sherd_bond_block *block, sherd_bonds *bonds, int64_t begin, int64_t end,
                            int width)
{
    SHERD_ASSERT(begin <= end && end <= bonds->count, "a block holds consecutive bonds");
    builder b = {.block = block, .bonds = bonds, .begin = begin, .end = end, .width = width};
    block->bond_begin = begin, block->bond_end = end;
    bool built = allocate(&b) && fill(&b);
    sherd_free(b.pairs);
    sherd_bond_rows_free(&b.rows);
    sherd_free(b.order);
    sherd_free(b.loose);
    return built;
}
