#include "models/bonded/storage/bond_slices.h"

#include "base/memory.h"
#include "base/sort.h"
#include "models/bonded/storage/bond_rows.h"

// WINDOW: elements are sorted by their number of bonds so that slots are full, but only within
// windows of this many: neighbours in a slot should be neighbours in the body. FILL_DIVISOR: at
// least one half of a vector's lanes must be used by a row slot, which takes half the time of a
// full slot with gathering, or a little more.
enum { WINDOW = 512, FILL_DIVISOR = 2 };

// The loose bonds of one element: `count` from number `first` of the list on.
typedef struct element_bonds {
    int32_t i; // local number
    int32_t first, count;
} element_bonds;

typedef struct builder {
    const sherd_bond_block *block;
    const sherd_bonds *bonds;
    const sherd_elements *elements;
    int width;
    bool single;
    sherd_bond_slices *slices;
    // Bonds that are put into slots, by kind: those of rows, by key, and the others.
    sherd_bond_rows rows;
    sherd_sort_pair *in_rows; // key: of sherd_bond_rows_key; value: bond
    int32_t row_start[SHERD_BOND_KIND_COUNT + 1];
    int64_t *listed;
    int32_t listed_count;
    element_bonds *lower_ends; // by kind, then in the order of lanes
    int32_t lower_end_count;
    int32_t lower_end_start[SHERD_BOND_KIND_COUNT + 1];
    sherd_sort_pair *pairs;
} builder;

static void free_arrays(sherd_bond_slices *s)
{
    void *arrays[] = {s->slot_end, s->i, s->j, s->bond, s->numbers, s->alive, s->soft, s->broken};
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
    size_t a_slot = width * (2 * sizeof(int32_t) +
                             (size_t)sherd_bond_slot_numbers(slices) * number_size(precision)) +
                    3 * sizeof(uint16_t);
    return groups * (width + 1) * sizeof(int32_t) + (size_t)slices->slot_count * a_slot;
}

// ---------------------------------------------------------------- who has how many

static bool fills_slot(const builder *b, int32_t length)
{
    return length * FILL_DIVISOR >= b->width;
}

// Takes the bonds of one kind that fill row slots and leaves the others in `pairs`. Returns the
// number of the latter.
static int32_t extract_row_bonds(builder *b, int kind, int32_t count)
{
    int32_t kept = 0, taken = b->row_start[kind];
    for (int32_t k = 0, length; k < count; k += length) {
        length = sherd_bond_run_length(b->pairs, (size_t)k, (size_t)count);
        bool fills = fills_slot(b, length);
        for (int32_t n = k; n < k + length; ++n) {
            if (fills)
                b->in_rows[taken++] = b->pairs[n];
            else
                b->pairs[kept++].key = b->pairs[n].value;
        }
    }
    b->row_start[kind + 1] = taken;
    return kept;
}

// Lists the bonds outside rows by element, in their order.
static void list_lower_ends(builder *b, int32_t count)
{
    element_bonds *last = NULL;
    for (int32_t k = 0; k < count; ++k) {
        int64_t bond = (int64_t)b->pairs[k].key;
        int32_t i = b->bonds->i[bond] - b->block->begin;
        if (last == NULL || last->i != i) {
            last = &b->lower_ends[b->lower_end_count++];
            *last = (element_bonds){.i = i, .first = b->listed_count};
        }
        ++last->count;
        b->listed[b->listed_count++] = bond;
    }
}

static bool list_kind(builder *b, int kind, const uint8_t *unlisted)
{
    const sherd_bond_block *block = b->block;
    int64_t first = block->loose_first[kind];
    int32_t count = 0;
    for (int64_t bond = first; bond < first + block->loose_count[kind]; ++bond)
        if (unlisted == NULL ? !b->bonds->broken[bond] : !unlisted[bond])
            b->pairs[count++] =
                (sherd_sort_pair){sherd_bond_rows_key(&b->rows, bond), (uint32_t)bond};
    if (!sherd_sort_pairs(b->pairs, (size_t)count)) return false;
    count = extract_row_bonds(b, kind, count);
    if (!sherd_sort_pairs(b->pairs, (size_t)count)) return false;
    list_lower_ends(b, count);
    return true;
}

// Sorts elements by descending number of bonds, within each window.
static bool sort_lower_ends(builder *b, int32_t begin, int32_t end)
{
    size_t count = (size_t)(end - begin);
    element_bonds *copy = sherd_alloc(count, sizeof *copy);
    if (copy == NULL) return false;
    for (size_t k = 0; k < count; ++k) {
        copy[k] = b->lower_ends[(size_t)begin + k];
        b->pairs[k] = (sherd_sort_pair){
            (uint64_t)(k / WINDOW) << 32 | (uint32_t)(INT32_MAX - copy[k].count), (uint32_t)k};
    }
    bool sorted = sherd_sort_pairs(b->pairs, count);
    for (size_t k = 0; k < count && sorted; ++k)
        b->lower_ends[(size_t)begin + k] = copy[b->pairs[k].value];
    sherd_free(copy);
    return sorted;
}

static bool list_all(builder *b, const uint8_t *unlisted)
{
    size_t max_count = 0;
    for (int kind = 0; kind < SHERD_BOND_KIND_COUNT; ++kind)
        max_count += (size_t)b->block->loose_count[kind];
    b->in_rows = sherd_alloc(max_count, sizeof *b->in_rows);
    b->listed = sherd_alloc(max_count, sizeof *b->listed);
    b->lower_ends = sherd_alloc(max_count, sizeof *b->lower_ends);
    b->pairs = sherd_alloc(max_count, sizeof *b->pairs);
    if (b->in_rows == NULL || b->listed == NULL || b->lower_ends == NULL || b->pairs == NULL)
        return false;
    if (!sherd_bond_rows_find(&b->rows, b->block, b->bonds, b->width)) return false;
    for (int kind = 0; kind < SHERD_BOND_KIND_COUNT; ++kind) {
        b->lower_end_start[kind] = b->lower_end_count;
        if (!list_kind(b, kind, unlisted)) return false;
        if (!sort_lower_ends(b, b->lower_end_start[kind], b->lower_end_count)) return false;
    }
    b->lower_end_start[SHERD_BOND_KIND_COUNT] = b->lower_end_count;
    return true;
}

// ---------------------------------------------------------------- groups and slots

// One slot of a row group.
typedef struct row_slot {
    const sherd_sort_pair *run;
    int32_t length;
    int32_t first;     // element of lane 0, local
    bool begins_group; // it is the first slot of a row group
} row_slot;

// Iterates over the row slots of one kind: start with `at` at its first bond and an empty slot.
// Returns false at the end.
static bool next_row_slot(const builder *b, int kind, int32_t *at, row_slot *slot)
{
    int32_t end = b->row_start[kind + 1];
    if (*at == end) return false;
    const sherd_sort_pair *run = &b->in_rows[*at];
    int32_t first = sherd_bond_rows_first(&b->rows, run->value);
    *slot = (row_slot){
        .run = run,
        .length = sherd_bond_run_length(b->in_rows, (size_t)*at, (size_t)end),
        .first = first,
        .begins_group = slot->run == NULL || slot->first != first,
    };
    *at += slot->length;
    return true;
}

static int32_t count_row_groups(builder *b, int kind)
{
    int32_t groups = 0;
    row_slot slot = {.run = NULL};
    for (int32_t at = b->row_start[kind]; next_row_slot(b, kind, &at, &slot);) {
        groups += slot.begins_group;
        ++b->slices->slot_count;
    }
    return groups;
}

static void count_groups(builder *b)
{
    sherd_bond_slices *s = b->slices;
    int32_t groups = 0;
    for (int kind = 0; kind < SHERD_BOND_KIND_COUNT; ++kind) {
        s->group_start[kind] = groups;
        groups += count_row_groups(b, kind);
        s->row_group_end[kind] = groups;
        for (int32_t h = b->lower_end_start[kind]; h < b->lower_end_start[kind + 1];
             h += b->width) {
            s->slot_count += b->lower_ends[h].count; // the largest number of the group
            ++groups;
        }
    }
    s->group_start[SHERD_BOND_KIND_COUNT] = groups;
    s->row_count = b->row_start[SHERD_BOND_KIND_COUNT];
    s->count = s->row_count + b->listed_count;
}

// Bond n of those that are put into slots.
static int64_t ordered_bond(const builder *b, int32_t n)
{
    return n < b->slices->row_count ? (int64_t)b->in_rows[n].value
                                    : b->listed[n - b->slices->row_count];
}

static bool same_moduli(const sherd_bond_moduli *a, const sherd_bond_moduli *b)
{
    return a->stretch == b->stretch && a->shear == b->shear && a->bend == b->bend &&
           a->twist == b->twist;
}

// Finds whether all these bonds have the same moduli and radius.
static void find_common(builder *b)
{
    sherd_bond_slices *s = b->slices;
    if (s->count == 0) return;
    sherd_bond_constants first = sherd_bond_stiffness_of(b->bonds, b->elements, ordered_bond(b, 0));
    for (int32_t n = 1; n < s->count; ++n) {
        sherd_bond_constants constants =
            sherd_bond_stiffness_of(b->bonds, b->elements, ordered_bond(b, n));
        if (!same_moduli(&constants.moduli, &first.moduli) || constants.r0 != first.r0) return;
    }
    s->alike = true;
    first = sherd_bond_constants_of(b->bonds, b->elements, ordered_bond(b, 0));
    s->common = sherd_bond_common_of(&first);
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
    s->numbers = sherd_alloc(slots * width * (size_t)sherd_bond_slot_numbers(s),
                             b->single ? sizeof(float) : sizeof(double));
    s->alive = sherd_alloc(slots, sizeof *s->alive);
    s->soft = sherd_alloc(slots, sizeof *s->soft);
    s->broken = sherd_alloc(slots, sizeof *s->broken);
    return s->slot_end != NULL && s->i != NULL && s->j != NULL && s->bond != NULL &&
           s->numbers != NULL && s->alive != NULL && s->soft != NULL && s->broken != NULL;
}

static void store_numbers(builder *b, int32_t slot, int lane, int64_t bond)
{
    sherd_bond_constants constants = sherd_bond_constants_of(b->bonds, b->elements, bond);
    double number[SHERD_CLASS_NUMBERS];
    sherd_bond_numbers(&constants, number);
    int32_t numbers = sherd_bond_slot_numbers(b->slices);
    size_t at = (size_t)slot * (size_t)(numbers * b->width) + (size_t)lane;
    for (int n = 0; n < numbers; ++n, at += (size_t)b->width) {
        if (b->single)
            ((float *)b->slices->numbers)[at] = (float)number[n];
        else
            ((double *)b->slices->numbers)[at] = number[n];
    }
}

// Fills a lane; if it has no bond, it repeats the bond of another lane.
static void fill_lane(builder *b, int32_t slot, int lane, int32_t j, int64_t bond, bool has)
{
    sherd_bond_slices *s = b->slices;
    size_t at = (size_t)slot * (size_t)b->width + (size_t)lane;
    s->j[at] = j;
    s->bond[at] = (int32_t)bond;
    store_numbers(b, slot, lane, bond);
    if (!has) return;
    s->alive[slot] |= (uint16_t)((unsigned)sherd_bond_is_elastic(b->bonds, bond) << lane);
    s->soft[slot] |= (uint16_t)((unsigned)sherd_bond_softens(b->bonds, bond) << lane);
    s->dead += b->bonds->broken[bond];
}

// The element `lane` behind `first`, or the last one; bonds of lanes without an element are never
// alive.
static int32_t local_or_last(int32_t first, int lane, int32_t count)
{
    return first + lane < count ? first + lane : count - 1;
}

static void fill_row_slot(builder *b, int32_t number, const row_slot *slot)
{
    const sherd_bond_block *block = b->block;
    int32_t own = block->end - block->begin;
    int32_t first = slot->first + sherd_bond_rows_offset(&b->rows, slot->run->value);
    for (int lane = 0, next = 0; lane < b->width; ++lane) {
        int64_t bond = slot->run[next < slot->length ? next : 0].value;
        bool has = next < slot->length && b->bonds->i[bond] - block->begin == slot->first + lane;
        next += has;
        fill_lane(b, number, lane, local_or_last(first, lane, own + block->halo_count), bond, has);
    }
}

static void fill_row_groups(builder *b, int kind, int32_t *group, int32_t *slots)
{
    sherd_bond_slices *s = b->slices;
    int32_t own = b->block->end - b->block->begin;
    row_slot slot = {.run = NULL};
    for (int32_t at = b->row_start[kind]; next_row_slot(b, kind, &at, &slot);) {
        if (slot.begins_group) {
            for (int lane = 0; lane < b->width; ++lane)
                s->i[*group * b->width + lane] = local_or_last(slot.first, lane, own);
            ++*group;
        }
        fill_row_slot(b, (*slots)++, &slot);
        s->slot_end[*group - 1] = *slots;
    }
}

static void fill_slot(builder *b, int32_t slot, const element_bonds *group, int32_t lanes,
                      int32_t number)
{
    for (int lane = 0; lane < b->width; ++lane) {
        bool has = lane < lanes && number < group[lane].count;
        int64_t bond = b->listed[group[has ? lane : 0].first + number];
        fill_lane(b, slot, lane, sherd_bond_block_local(b->block, b->bonds->j[bond]), bond, has);
    }
}

static void fill_groups(builder *b)
{
    sherd_bond_slices *s = b->slices;
    int32_t group = 0, slot = 0;
    for (int kind = 0; kind < SHERD_BOND_KIND_COUNT; ++kind) {
        fill_row_groups(b, kind, &group, &slot);
        int32_t end = b->lower_end_start[kind + 1];
        for (int32_t h = b->lower_end_start[kind]; h < end; h += b->width, ++group) {
            const element_bonds *first = &b->lower_ends[h];
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
    if (done) count_groups(&b), find_common(&b);
    done = done && allocate(&b);
    if (done) {
        fill_groups(&b);
        free_arrays(&block->slices);
        block->slices = slices;
    } else {
        free_arrays(&slices);
    }
    sherd_bond_rows_free(&b.rows);
    sherd_free(b.in_rows);
    sherd_free(b.listed);
    sherd_free(b.lower_ends);
    sherd_free(b.pairs);
    return done;
}
