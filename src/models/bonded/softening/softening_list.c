#include "models/bonded/softening/softening_list.h"

#include "base/assertion.h"
#include "base/memory.h"
#include "models/bonded/storage/bond_classes.h"

#include <stdlib.h>
#include <string.h>

// ---------------------------------------------------------------- ends by element

static bool reserve_index(sherd_softening_ends *ends, size_t elements)
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

static bool reserve_ends(sherd_softening_ends *ends, size_t count, size_t elements)
{
    size_t max_count = 2 * count < elements ? 2 * count : elements;
    return reserve_index(ends, elements) &&
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

// Lists the ends of `count` bonds, in the order of this call.
static void find_ends(sherd_softening_ends *ends, const sherd_softening_bond *bonds, int32_t count)
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

static void free_ends(sherd_softening_ends *ends)
{
    sherd_free(ends->element);
    sherd_free(ends->first);
    sherd_free(ends->end);
    sherd_free(ends->index);
    *ends = (sherd_softening_ends){0};
}

static size_t ends_bytes(const sherd_softening_ends *ends)
{
    return ends->capacity * sizeof *ends->element + ends->first_capacity * sizeof *ends->first +
           ends->end_capacity * sizeof *ends->end + ends->index_count * sizeof *ends->index;
}

// ---------------------------------------------------------------- the list

void sherd_softening_list_free(sherd_softening_list *list)
{
    sherd_free(list->bonds);
    sherd_free(list->results);
    sherd_free(list->sums);
    free_ends(&list->ends);
    *list = (sherd_softening_list){0};
}

size_t sherd_softening_list_bytes(const sherd_softening_list *list)
{
    return list->capacity * sizeof *list->bonds + list->result_capacity * sizeof *list->results +
           list->sum_capacity * sizeof *list->sums + ends_bytes(&list->ends);
}

static bool reserve(sherd_softening_list *list, const sherd_elements *elements, size_t count)
{
    size_t chunks = (count + SHERD_SOFTENING_CHUNK - 1) / SHERD_SOFTENING_CHUNK;
    return sherd_grow((void **)&list->bonds, &list->capacity, count, sizeof *list->bonds) &&
           sherd_grow((void **)&list->results, &list->result_capacity, count,
                      sizeof *list->results) &&
           sherd_grow((void **)&list->sums, &list->sum_capacity, chunks, sizeof *list->sums) &&
           reserve_ends(&list->ends, count, (size_t)elements->count);
}

static sherd_softening_bond make(const sherd_bonds *bonds, const sherd_elements *elements,
                                 int64_t bond)
{
    sherd_bond_constants constants = sherd_bond_constants_of(bonds, elements, bond);
    double number[SHERD_CLASS_NUMBERS];
    sherd_bond_numbers(&constants, number);
    sherd_softening_bond made = {.critical = constants.critical_opening,
                                 .bond = (int32_t)bond,
                                 .i = bonds->i[bond],
                                 .j = bonds->j[bond],
                                 .kind = constants.kind};
    memcpy(made.numbers, number, sizeof made.numbers);
    return made;
}

static int compare(const void *a, const void *b)
{
    const sherd_softening_bond *x = a, *y = b;
    if (x->kind != y->kind) return x->kind < y->kind ? -1 : 1;
    return x->bond < y->bond ? -1 : x->bond > y->bond;
}

bool sherd_softening_list_find(sherd_softening_list *list, const sherd_bonds *bonds,
                               const sherd_elements *elements)
{
    size_t count = 0;
    if (bonds->opening == NULL) return true;
    for (int64_t k = 0; k < bonds->count; ++k)
        count += sherd_bond_softens(bonds, k);
    if (!reserve(list, elements, count)) return false;
    list->count = 0;
    for (int64_t k = 0; k < bonds->count; ++k)
        if (sherd_bond_softens(bonds, k)) list->bonds[list->count++] = make(bonds, elements, k);
    if (count > 1) qsort(list->bonds, count, sizeof *list->bonds, compare);
    find_ends(&list->ends, list->bonds, list->count);
    return true;
}
