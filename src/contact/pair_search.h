// Finds all pairs of elements within reach of each other (margins.h) that no intact bond joins.
#pragma once

#include "contact/cell_grid.h"
#include "contact/contact.h"

typedef struct sherd_pair {
    sherd_element_index i, j; // i < j
} sherd_pair;

typedef struct sherd_pair_buffer {
    sherd_pair *pairs;
    size_t count, capacity;
    bool failed; // memory ran short
} sherd_pair_buffer;

typedef struct sherd_pair_search {
    sherd_cell_grid grid;
    sherd_pair_buffer *chunks; // what each chunk of elements found
    size_t chunk_count;
    sherd_pair_buffer kept;  // pairs to list in any case; filled before the search
    sherd_pair_buffer found; // all of it, sorted by (i, j)
} sherd_pair_search;

// Fills search->found. Positions must be finite; `bonds` may be NULL; `margin` is per element and
// `skin` twice its least [m]. Zero-filled searches are
// valid and keep their memory for the next time.
sherd_status sherd_pair_search_run(sherd_pair_search *search, const sherd_elements *elements,
                                   const sherd_bond_adjacency *bonds, const double *margin,
                                   double skin, const sherd_parallel *parallel, sherd_error *error);
void sherd_pair_search_free(sherd_pair_search *search);
size_t sherd_pair_search_bytes(const sherd_pair_search *search);

// Whether an intact bond joins i and j.
bool sherd_pair_is_bonded(const sherd_bond_adjacency *bonds, sherd_element_index i,
                          sherd_element_index j);
