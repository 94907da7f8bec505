#include "models/bonded/storage/adjacency.h"

#include "base/assertion.h"
#include "base/error.h"
#include "base/memory.h"
#include "base/pages/pages.h"

#include <string.h>

// Counts bonds by end; the count of element k goes to start[k + 1].
static void count_ends(uint32_t *start, const sherd_element_index *end, int64_t bonds)
{
    for (int64_t k = 0; k < bonds; ++k)
        ++start[end[k] + 1];
}

sherd_status sherd_adjacency_build(sherd_adjacency *adjacency, const sherd_bonds *bonds,
                                   sherd_element_index element_count, sherd_error *error)
{
    SHERD_ASSERT(sherd_indices_below(bonds->i, (size_t)bonds->count, element_count) &&
                     sherd_indices_below(bonds->j, (size_t)bonds->count, element_count),
                 "bonds join elements that there are");
    // Two entries for each bond: at most 2^32 - 2, see sherd_bonds_add.
    size_t n = (size_t)element_count, m = (size_t)bonds->count;
    uint32_t *start = sherd_alloc_pages(n + 1, sizeof *start);
    uint32_t *bond = sherd_alloc(2 * m, sizeof *bond);
    *adjacency = (sherd_adjacency){start, bond};
    if (start == NULL || bond == NULL) {
        sherd_adjacency_free(adjacency);
        return sherd_fail_memory(error, "bond adjacency");
    }
    if (m == 0) return SHERD_OK; // memory that is not written is not used
    count_ends(start, bonds->i, bonds->count);
    count_ends(start, bonds->j, bonds->count);
    for (size_t k = 0; k < n; ++k)
        start[k + 1] += start[k];
    // While filling, start[k] is the next free entry; at the end it is where k + 1 began.
    for (int64_t k = 0; k < bonds->count; ++k) {
        bond[start[bonds->i[k]]++] = (uint32_t)k;
        bond[start[bonds->j[k]]++] = (uint32_t)k;
    }
    memmove(start + 1, start, n * sizeof *start);
    start[0] = 0;
    SHERD_ASSERT(sherd_unsigned_rows_follow(start, n, 2 * m), "a bond is listed at both its ends");
    SHERD_ASSERT(sherd_unsigned_rows_ascend(start, n, bond), "bonds of an element ascend");
    return SHERD_OK;
}

void sherd_adjacency_free(sherd_adjacency *adjacency)
{
    sherd_free(adjacency->start);
    sherd_free(adjacency->bond);
    *adjacency = (sherd_adjacency){0};
}

void sherd_find_components(const sherd_bonds *bonds, sherd_element_index count,
                           sherd_element_index *root)
{
    SHERD_ASSERT(sherd_indices_below(bonds->i, (size_t)bonds->count, count) &&
                     sherd_indices_below(bonds->j, (size_t)bonds->count, count),
                 "bonds join elements of the list");
    for (sherd_element_index k = 0; k < count; ++k)
        root[k] = k;
    for (int64_t b = 0; b < bonds->count; ++b)
        if (!bonds->broken[b]) sherd_join_roots(root, bonds->i[b], bonds->j[b]);
    for (sherd_element_index k = 0; k < count; ++k)
        root[k] = sherd_find_root(root, k);
    SHERD_ASSERT(count == 0 || root[0] == 0, "a component is named by its first element");
}
