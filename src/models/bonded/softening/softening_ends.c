#include "models/bonded/softening/softening_ends.h"

#include "base/memory.h"
#include "models/bonded/softening/softening_list.h"

#include <string.h>

static bool reserve_places(sherd_softening_ends *ends, size_t elements)
{
    if (ends->place_count >= elements) return true;
    int32_t *place = sherd_alloc(elements, sizeof *place);
    if (place == NULL) return false;
    memset(place, -1, elements * sizeof *place);
    if (ends->place_count > 0) memcpy(place, ends->place, ends->place_count * sizeof *place);
    sherd_free(ends->place);
    ends->place = place;
    ends->place_count = elements;
    return true;
}

bool sherd_softening_ends_reserve(sherd_softening_ends *ends, size_t count, size_t elements)
{
    size_t most = 2 * count < elements ? 2 * count : elements;
    return reserve_places(ends, elements) &&
           sherd_grow((void **)&ends->element, &ends->capacity, most, sizeof *ends->element) &&
           sherd_grow((void **)&ends->first, &ends->first_capacity, most, sizeof *ends->first) &&
           sherd_grow((void **)&ends->last, &ends->last_capacity, most, sizeof *ends->last) &&
           sherd_grow((void **)&ends->next, &ends->next_capacity, 2 * count, sizeof *ends->next);
}

static void add_end(sherd_softening_ends *ends, sherd_element_index element, int32_t end)
{
    int32_t at = ends->place[element];
    ends->next[end] = -1;
    if (at < 0) {
        at = ends->place[element] = ends->count++;
        ends->element[at] = element;
        ends->first[at] = end;
    } else {
        ends->next[ends->last[at]] = end;
    }
    ends->last[at] = end;
}

void sherd_softening_ends_find(sherd_softening_ends *ends, const sherd_softening_bond *bonds,
                               int32_t count)
{
    for (int32_t k = 0; k < ends->count; ++k)
        ends->place[ends->element[k]] = -1;
    ends->count = 0;
    for (int32_t k = 0; k < count; ++k) {
        add_end(ends, bonds[k].i, 2 * k);
        add_end(ends, bonds[k].j, 2 * k + 1);
    }
}

void sherd_softening_ends_free(sherd_softening_ends *ends)
{
    sherd_free(ends->element);
    sherd_free(ends->first);
    sherd_free(ends->last);
    sherd_free(ends->next);
    sherd_free(ends->place);
    *ends = (sherd_softening_ends){0};
}

size_t sherd_softening_ends_bytes(const sherd_softening_ends *ends)
{
    return ends->capacity * sizeof *ends->element + ends->first_capacity * sizeof *ends->first +
           ends->last_capacity * sizeof *ends->last + ends->next_capacity * sizeof *ends->next +
           ends->place_count * sizeof *ends->place;
}
