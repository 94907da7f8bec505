#include "models/bonded/softening/softening_ends.h"

#include "base/assertion.h"
#include "base/memory.h"
#include "models/bonded/softening/softening_list.h"

#include <string.h>

static bool reserve_indices(sherd_softening_ends *ends, size_t elements)
{
    if (ends->index_count >= elements) return true;
    int32_t *index = sherd_alloc(elements, sizeof *index);
    if (index == NULL) return false;
    memset(index, -1, elements * sizeof *index);
    if (ends->index_count > 0) memcpy(index, ends->index, ends->index_count * sizeof *index);
    sherd_free(ends->index);
    ends->index = index;
    ends->index_count = elements;
    return true;
}

bool sherd_softening_ends_reserve(sherd_softening_ends *ends, size_t count, size_t elements)
{
    size_t max_count = 2 * count < elements ? 2 * count : elements;
    return reserve_indices(ends, elements) &&
           sherd_grow((void **)&ends->element, &ends->capacity, max_count, sizeof *ends->element) &&
           sherd_grow((void **)&ends->first, &ends->first_capacity, max_count + 2,
                      sizeof *ends->first) &&
           sherd_grow((void **)&ends->end, &ends->end_capacity, 2 * count, sizeof *ends->end);
}

// Counts the ends of each element, stored two entries behind its final start.
static void count_end(sherd_softening_ends *ends, sherd_element_index element)
{
    int32_t at = ends->index[element];
    if (at < 0) {
        at = ends->index[element] = ends->count++;
        ends->element[at] = element;
        ends->first[at + 2] = 0;
    }
    ++ends->first[at + 2];
}

// Until all ends are stored, the next one of an element goes one entry behind its final start.
static void store_end(sherd_softening_ends *ends, sherd_element_index element, int32_t end)
{
    ends->end[ends->first[ends->index[element] + 1]++] = end;
}

void sherd_softening_ends_find(sherd_softening_ends *ends, const sherd_softening_bond *bonds,
                               int32_t count)
{
    for (int32_t k = 0; k < ends->count; ++k)
        ends->index[ends->element[k]] = -1;
    ends->count = 0;
    if (count == 0) return;
    for (int32_t k = 0; k < count; ++k) {
        count_end(ends, bonds[k].i);
        count_end(ends, bonds[k].j);
    }
    ends->first[0] = ends->first[1] = 0;
    for (int32_t k = 1; k < ends->count; ++k)
        ends->first[k + 1] += ends->first[k];
    for (int32_t k = 0; k < count; ++k) {
        store_end(ends, bonds[k].i, 2 * k);
        store_end(ends, bonds[k].j, 2 * k + 1);
    }
    SHERD_ASSERT(sherd_rows_follow(ends->first, (size_t)ends->count, 2 * (int64_t)count),
                 "a softening bond is listed at both its ends");
    SHERD_ASSERT(sherd_rows_ascend(ends->first, (size_t)ends->count, ends->end),
                 "ends of an element are in the order of bonds");
}

void sherd_softening_ends_free(sherd_softening_ends *ends)
{
    sherd_free(ends->element);
    sherd_free(ends->first);
    sherd_free(ends->end);
    sherd_free(ends->index);
    *ends = (sherd_softening_ends){0};
}

size_t sherd_softening_ends_bytes(const sherd_softening_ends *ends)
{
    return ends->capacity * sizeof *ends->element + ends->first_capacity * sizeof *ends->first +
           ends->end_capacity * sizeof *ends->end + ends->index_count * sizeof *ends->index;
}
