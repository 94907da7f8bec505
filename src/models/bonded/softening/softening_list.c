#include "models/bonded/softening/softening_list.h"

#include "base/memory.h"
#include "models/bonded/storage/bond_classes.h"

#include <stdlib.h>
#include <string.h>

void sherd_softening_list_free(sherd_softening_list *list)
{
    sherd_free(list->bonds);
    sherd_free(list->results);
    sherd_free(list->sums);
    sherd_softening_ends_free(&list->ends);
    *list = (sherd_softening_list){0};
}

size_t sherd_softening_list_bytes(const sherd_softening_list *list)
{
    return list->capacity * sizeof *list->bonds + list->result_capacity * sizeof *list->results +
           list->sum_capacity * sizeof *list->sums + sherd_softening_ends_bytes(&list->ends);
}

static bool reserve(sherd_softening_list *list, const sherd_elements *elements, size_t count)
{
    size_t chunks = (count + SHERD_SOFTENING_CHUNK - 1) / SHERD_SOFTENING_CHUNK;
    return sherd_grow((void **)&list->bonds, &list->capacity, count, sizeof *list->bonds) &&
           sherd_grow((void **)&list->results, &list->result_capacity, count,
                      sizeof *list->results) &&
           sherd_grow((void **)&list->sums, &list->sum_capacity, chunks, sizeof *list->sums) &&
           sherd_softening_ends_reserve(&list->ends, count, (size_t)elements->count);
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
    sherd_softening_ends_find(&list->ends, list->bonds, list->count);
    return true;
}
