#include "bond/bond_slices.h"

#include "base/memory.h"
#include "base/sort.h"

// Elements are sorted by their number of bonds so that slots are full, but only this many at a time:
// neighbours in a slot should stay neighbours in the body.
enum { WINDOW = 512 };

// Loose bonds of one element: `count` from number `first` of the list on.
typedef struct holder {
    int32_t i; // local number
    int32_t first, count;
} holder;

typedef struct builder {
    const sherd_bond_block *block;
    const sherd_bonds *bonds;
    const sherd_elements *elements;
    int width;
    bool single;
    sherd_bond_slices *slices;
    int64_t *listed; // bonds that get a place
    int32_t listed_count;
    holder *holders; // by kind, then in the order of lanes
    int32_t holder_count;
    int32_t holder_start[SHERD_BOND_KIND_COUNT + 1];
    sherd_sort_pair *pairs;
} builder;

static void free_arrays(sherd_bond_slices *s)
{
    void *arrays[] = {s->slot_end, s->i, s->j, s->bond, s->numbers, s->alive, s->broken};
    for (size_t a = 0; a < sizeof arrays / sizeof arrays[0]; ++a)
        sherd_free(arrays[a]);
}

void sherd_bond_slices_free(sherd_bond_slices *slices)
{
    free_arrays(slices);
    *slices = (sherd_bond_slices){0};
}

static size_t number_size(sherd_precision precision)
{
    return precision == SHERD_PRECISION_MIXED ? sizeof(float) : sizeof(double);
}

size_t sherd_bond_slices_bytes(const sherd_bond_slices *slices, sherd_precision precision)
{
    size_t width = (size_t)sherd_bond_width(precision);
    size_t groups = (size_t)slices->group_start[SHERD_BOND_KIND_COUNT];
    size_t a_slot = width * (2 * sizeof(int32_t) + SHERD_SLOT_NUMBERS * number_size(precision)) +
                    2 * sizeof(uint16_t);
    return groups * (width + 1) * sizeof(int32_t) + (size_t)slices->slot_count * a_slot;
}

// ---------------------------------------------------------------- who has how many

static void list_kind(builder *b, int kind, const uint8_t *unlisted)
{
    const sherd_bond_block *block = b->block;
    int64_t first = block->loose_first[kind];
    holder *last = NULL;
    for (int64_t bond = first; bond < first + block->loose_count[kind]; ++bond) {
        if (unlisted[bond]) continue;
        int32_t i = b->bonds->i[bond] - block->begin;
        if (last == NULL || last->i != i) {
            last = &b->holders[b->holder_count++];
            *last = (holder){.i = i, .first = b->listed_count};
        }
        ++last->count;
        b->listed[b->listed_count++] = bond;
    }
}

// Most bonds first, within each window.
static bool sort_holders(builder *b, int32_t begin, int32_t end)
{
    size_t count = (size_t)(end - begin);
    holder *copy = sherd_alloc(count, sizeof *copy);
    if (copy == NULL) return false;
    for (size_t k = 0; k < count; ++k) {
        copy[k] = b->holders[(size_t)begin + k];
        b->pairs[k] = (sherd_sort_pair){
            (uint64_t)(k / WINDOW) << 32 | (uint32_t)(INT32_MAX - copy[k].count), (uint32_t)k};
    }
    bool sorted = sherd_sort_pairs(b->pairs, count);
    for (size_t k = 0; k < count && sorted; ++k)
        b->holders[(size_t)begin + k] = copy[b->pairs[k].value];
    sherd_free(copy);
    return sorted;
}

static bool list_all(builder *b, const uint8_t *unlisted)
{
    size_t most = 0;
    for (int kind = 0; kind < SHERD_BOND_KIND_COUNT; ++kind)
        most += (size_t)b->block->loose_count[kind];
    b->listed = sherd_alloc(most, sizeof *b->listed);
    b->holders = sherd_alloc(most, sizeof *b->holders);
    b->pairs = sherd_alloc(most, sizeof *b->pairs);
    if (b->listed == NULL || b->holders == NULL || b->pairs == NULL) return false;
    for (int kind = 0; kind < SHERD_BOND_KIND_COUNT; ++kind) {
        b->holder_start[kind] = b->holder_count;
        list_kind(b, kind, unlisted);
        if (!sort_holders(b, b->holder_start[kind], b->holder_count)) return false;
    }
    b->holder_start[SHERD_BOND_KIND_COUNT] = b->holder_count;
    return true;
}

// ---------------------------------------------------------------- groups and slots

static void count_groups(builder *b)
{
    sherd_bond_slices *s = b->slices;
    int32_t groups = 0;
    for (int kind = 0; kind < SHERD_BOND_KIND_COUNT; ++kind) {
        s->group_start[kind] = groups;
        for (int32_t h = b->holder_start[kind]; h < b->holder_start[kind + 1]; h += b->width) {
            s->slot_count += b->holders[h].count; // the group's most
            ++groups;
        }
    }
    s->group_start[SHERD_BOND_KIND_COUNT] = groups;
    s->count = b->listed_count;
}

static bool allocate(builder *b)
{
    sherd_bond_slices *s = b->slices;
    size_t width = (size_t)b->width, slots = (size_t)s->slot_count;
    size_t groups = (size_t)s->group_start[SHERD_BOND_KIND_COUNT];
    s->slot_end = sherd_alloc(groups, sizeof *s->slot_end);
    s->i = sherd_alloc(groups * width, sizeof *s->i);
    s->j = sherd_alloc(slots * width, sizeof *s->j);
    s->bond = sherd_alloc(slots * width, sizeof *s->bond);
    s->numbers =
        sherd_alloc(slots * width * SHERD_SLOT_NUMBERS, b->single ? sizeof(float) : sizeof(double));
    s->alive = sherd_alloc(slots, sizeof *s->alive);
    s->broken = sherd_alloc(slots, sizeof *s->broken);
    return s->slot_end != NULL && s->i != NULL && s->j != NULL && s->bond != NULL &&
           s->numbers != NULL && s->alive != NULL && s->broken != NULL;
}

static void store_numbers(builder *b, int32_t slot, int lane, int64_t bond)
{
    sherd_bond_rest rest = sherd_bond_rest_of(b->bonds, b->elements, bond);
    double number[SHERD_CLASS_NUMBERS];
    sherd_bond_numbers(&rest, number);
    size_t at = (size_t)slot * SHERD_SLOT_NUMBERS * (size_t)b->width + (size_t)lane;
    for (int n = 0; n < SHERD_SLOT_NUMBERS; ++n, at += (size_t)b->width) {
        if (b->single)
            ((float *)b->slices->numbers)[at] = (float)number[n];
        else
            ((double *)b->slices->numbers)[at] = number[n];
    }
}

// A lane without a bond repeats lane 0, which has one in every slot.
static void fill_slot(builder *b, int32_t slot, const holder *group, int32_t lanes, int32_t number)
{
    sherd_bond_slices *s = b->slices;
    for (int lane = 0; lane < b->width; ++lane) {
        bool has = lane < lanes && number < group[lane].count;
        int64_t bond = b->listed[group[has ? lane : 0].first + number];
        size_t at = (size_t)slot * (size_t)b->width + (size_t)lane;
        s->j[at] = sherd_bond_block_local(b->block, b->bonds->j[bond]);
        s->bond[at] = (int32_t)bond;
        store_numbers(b, slot, lane, bond);
        if (has && !b->bonds->broken[bond]) s->alive[slot] |= (uint16_t)(1u << lane);
        s->dead += has && b->bonds->broken[bond];
    }
}

static void fill_groups(builder *b)
{
    sherd_bond_slices *s = b->slices;
    int32_t group = 0, slot = 0;
    for (int kind = 0; kind < SHERD_BOND_KIND_COUNT; ++kind) {
        int32_t end = b->holder_start[kind + 1];
        for (int32_t h = b->holder_start[kind]; h < end; h += b->width, ++group) {
            const holder *first = &b->holders[h];
            int32_t lanes = end - h < b->width ? end - h : b->width;
            for (int lane = 0; lane < b->width; ++lane)
                s->i[group * b->width + lane] = first[lane < lanes ? lane : 0].i;
            for (int32_t number = 0; number < first->count; ++number, ++slot)
                fill_slot(b, slot, first, lanes, number);
            s->slot_end[group] = slot;
        }
    }
}

bool sherd_bond_slices_build(sherd_bond_block *block, const sherd_bonds *bonds,
                             const sherd_elements *elements, sherd_precision precision,
                             const uint8_t *unlisted)
{
    sherd_bond_slices slices = {0};
    builder b = {.block = block,
                 .bonds = bonds,
                 .elements = elements,
                 .width = sherd_bond_width(precision),
                 .single = precision == SHERD_PRECISION_MIXED,
                 .slices = &slices};
    bool done = list_all(&b, unlisted);
    if (done) count_groups(&b);
    done = done && allocate(&b);
    if (done) {
        fill_groups(&b);
        free_arrays(&block->slices);
        block->slices = slices;
    } else {
        free_arrays(&slices);
    }
    sherd_free(b.listed);
    sherd_free(b.holders);
    sherd_free(b.pairs);
    return done;
}
