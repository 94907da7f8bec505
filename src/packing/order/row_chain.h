// Rows found from neighbour to neighbour, where elements follow no lattice throughout.
#pragma once

#include "packing/touch_list.h"

// Every centre is in one chain, be it alone: chain k is line[begin[k]] .. line[begin[k + 1] - 1], in the
// order of the row. Rows side by side run in the same direction, which bends with the packing.
typedef struct sherd_row_chains {
    size_t count;
    uint32_t *line;  // centres, chain after chain (centres)
    uint32_t *begin; // (count + 1)
} sherd_row_chains;

// `along` is about the direction of the rows in the middle of the packing. False when memory is short.
bool sherd_row_chains_init(sherd_row_chains *chains, const sherd_centres *centres,
                           const sherd_touch_list *list, sherd_vec3 along);
void sherd_row_chains_free(sherd_row_chains *chains);
