// Finds rows from neighbour to neighbour, where elements are not on one lattice.
#pragma once

#include "packing/touch_list.h"

// Every centre is in one chain, possibly alone: chain k is line[begin[k]] .. line[begin[k + 1] -
// 1], in the order of the row. Neighbouring rows run in the same direction, which follows the
// curved packing.
typedef struct sherd_row_chains {
    size_t count;
    uint32_t *line;  // centres, chain after chain (centres)
    uint32_t *begin; // (count + 1)
} sherd_row_chains;

// `along` is the approximate direction of rows in the middle of the packing. Returns false if
// memory runs short.
bool sherd_row_chains_init(sherd_row_chains *chains, const sherd_centres *centres,
                           const sherd_touch_list *list, sherd_vec3 along);
void sherd_row_chains_free(sherd_row_chains *chains);
