// Finds all pairs of elements within reach of each other (verlet_skin.h) that no intact bond joins.
#pragma once

#include "neighbors/cell_grid.h"
#include "neighbors/pair_routing.h"

// Consecutive elements whose pairs are found, stored and evaluated together.
enum { SHERD_PAIR_BLOCK = 1024 };

// Pairs with an intact bond interact through it, not through contact. The bonds of element k are
// bond[start[k]] .. bond[start[k + 1] - 1].
typedef struct sherd_bond_adjacency {
    const uint32_t *start;            // (n + 1)
    const uint32_t *bond;             // (2 m)
    const sherd_element_index *i, *j; // a bond's ends                (m)
    const uint8_t *broken;            // 0 intact; changes as bonds break (m)
} sherd_bond_adjacency;

typedef struct sherd_pair {
    sherd_element_index i, j; // i < j
} sherd_pair;

// The pairs of one block of elements: first those whose lower end is in an earlier block, grouped
// by it (routes); then, from `own` on, its own. Otherwise unsorted.
typedef struct sherd_pair_found {
    sherd_pair *pairs;
    size_t count, capacity;
    size_t own;
    bool failed; // out of memory
} sherd_pair_found;

typedef struct sherd_pair_sorter sherd_pair_sorter; // scratch of one thread

typedef struct sherd_pair_search {
    sherd_cell_grid grid;
    bool grid_current;    // the grid contains all elements at their listed positions
    sherd_pair_found few; // result of sherd_pair_search_few
    int32_t block_count;
    sherd_pair_found *found; // (block_count)
    sherd_pair_routing routing;
    sherd_pair_sorter *sorters; // (sorter_count)
    int sorter_count;
} sherd_pair_search;

// Fills search->found. Positions must be finite; `bonds` may be NULL; `margin` is per element and
// `skin` twice its minimum [m]. Zero-filled searches are valid. Memory is reused by the next
// search, which must have the same number of elements.
sherd_status sherd_pair_search_run(sherd_pair_search *search, const sherd_points *points,
                                   const sherd_bond_adjacency *bonds, const double *margin,
                                   double skin, const sherd_parallel *parallel, sherd_error *error);

// Searches the pairs of a few elements only, into search->few: each once or, if both ends are among
// the few, twice. `listed` has all elements at their positions at the last search, and the few at
// their present ones, with their new margins. At most SHERD_GRID_MAX_MOVED. Overwrites
// search->found.
sherd_status sherd_pair_search_few(sherd_pair_search *search, const sherd_points *listed,
                                   const sherd_bond_adjacency *bonds, const double *margin,
                                   double skin, const sherd_element_index *few, size_t count,
                                   const sherd_parallel *parallel, sherd_error *error);
// Marks the grid as outdated: elements are listed at other positions.
static inline void sherd_pair_search_forget(sherd_pair_search *search)
{
    search->grid_current = false;
}
void sherd_pair_search_free(sherd_pair_search *search);
size_t sherd_pair_search_bytes(const sherd_pair_search *search);

// True if an intact bond joins i and j.
bool sherd_pair_is_bonded(const sherd_bond_adjacency *bonds, sherd_element_index i,
                          sherd_element_index j);
