#include "bond/adjacency.h"

#include "base/error.h"
#include "base/memory.h"

static void count_ends(int64_t *start, const sherd_element_index *end, int64_t bonds)
{
    for (int64_t k = 0; k < bonds; ++k)
        ++start[end[k] + 1];
}

static void place(sherd_adjacency *a, int64_t *next, sherd_element_index at,
                  sherd_element_index partner, int64_t bond)
{
    int64_t slot = next[at]++;
    a->partner[slot] = partner;
    a->bond[slot] = bond;
}

sherd_status sherd_adjacency_build(sherd_adjacency *adjacency, const sherd_bonds *bonds,
                                   sherd_element_index element_count, sherd_error *error)
{
    size_t n = (size_t)element_count, m = (size_t)bonds->count;
    *adjacency = (sherd_adjacency){sherd_alloc(n + 1, sizeof(int64_t)),
                                   sherd_alloc(2 * m, sizeof(sherd_element_index)),
                                   sherd_alloc(2 * m, sizeof(int64_t))};
    int64_t *next = sherd_alloc(n + 1, sizeof *next);
    if (adjacency->start == NULL || adjacency->partner == NULL || adjacency->bond == NULL ||
        next == NULL) {
        sherd_free(next);
        sherd_adjacency_free(adjacency);
        return sherd_fail_memory(error, "bond adjacency");
    }
    count_ends(adjacency->start, bonds->i, bonds->count);
    count_ends(adjacency->start, bonds->j, bonds->count);
    for (size_t k = 0; k < n; ++k)
        adjacency->start[k + 1] += adjacency->start[k];
    for (size_t k = 0; k < n; ++k)
        next[k] = adjacency->start[k];
    for (int64_t k = 0; k < bonds->count; ++k) {
        place(adjacency, next, bonds->i[k], bonds->j[k], k);
        place(adjacency, next, bonds->j[k], bonds->i[k], k);
    }
    sherd_free(next);
    return SHERD_OK;
}

void sherd_adjacency_free(sherd_adjacency *adjacency)
{
    sherd_free(adjacency->start);
    sherd_free(adjacency->partner);
    sherd_free(adjacency->bond);
    *adjacency = (sherd_adjacency){0};
}
