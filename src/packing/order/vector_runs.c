#include "packing/order/vector_runs.h"

#include "base/memory.h"

// The lanes of a vector; a packet pays off from half of them.
enum { LANES = 16, LEAST = 8 };

static bool touches(const sherd_touch_list *list, uint32_t a, uint32_t b)
{
    const int32_t *other = sherd_touching(list, a);
    for (int k = 0; k < list->found[a]; ++k)
        if ((uint32_t)other[k] == b) return true;
    return false;
}

// Pairs of one group, counted by the difference of their indices.
typedef struct offset_counts {
    int found, pairs;
    int32_t offset[LANES * SHERD_TOUCH_MOST];
    int count[LANES * SHERD_TOUCH_MOST];
} offset_counts;

// With rows there are few different offsets: no need to sort.
static void add_pair(offset_counts *c, int32_t offset)
{
    int k = 0;
    while (k < c->found && c->offset[k] != offset)
        ++k;
    if (k == c->found) {
        c->offset[c->found++] = offset;
        c->count[k] = 0;
    }
    ++c->count[k];
    ++c->pairs;
}

static void count_group(const sherd_touch_list *list, const uint32_t *order, const uint32_t *place,
                        size_t begin, size_t end, offset_counts *c)
{
    c->found = c->pairs = 0;
    for (size_t k = begin; k < end; ++k) {
        const int32_t *other = sherd_touching(list, order[k]);
        for (int m = 0; m < list->found[order[k]]; ++m)
            if (place[other[m]] > k) add_pair(c, (int32_t)(place[other[m]] - k));
    }
}

static int pairs_in_runs(const offset_counts *c)
{
    int sum = 0;
    for (int k = 0; k < c->found; ++k)
        if (c->count[k] >= LEAST) sum += c->count[k];
    return sum;
}

static size_t group_end(const sherd_touch_list *list, const uint32_t *order, size_t begin)
{
    size_t end = begin + 1;
    while (end < list->count && end - begin < LANES && touches(list, order[end - 1], order[end]))
        ++end;
    return end;
}

double sherd_vector_run_fraction(const sherd_touch_list *list, const uint32_t *order)
{
    offset_counts counts;
    int64_t pairs = 0, in_runs = 0;
    uint32_t *place = sherd_alloc(list->count, sizeof *place);
    if (place == NULL) return -1.0;
    for (size_t k = 0; k < list->count; ++k)
        place[order[k]] = (uint32_t)k;
    for (size_t k = 0, end; k < list->count; k = end) {
        end = group_end(list, order, k);
        count_group(list, order, place, k, end, &counts);
        pairs += counts.pairs;
        in_runs += pairs_in_runs(&counts);
    }
    sherd_free(place);
    return pairs > 0 ? (double)in_runs / (double)pairs : 0.0;
}
