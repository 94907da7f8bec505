// Finds the items in a range of cells that are near a point; compiled once per instruction set.
#pragma once

#include "neighbors/cell_grid.h"

typedef struct sherd_near_query {
    double x, y, z, reach; // [m]
    double rank;           // only items with a lower rank are found
} sherd_near_query;

// Writes the items among begin .. end - 1 within reach, and arbitrary values into up to
// SHERD_GRID_PADDING entries after them. Returns their number. The result is the same for every
// instruction set.
typedef int32_t sherd_near_function(const sherd_grid_level *level, const sherd_near_query *query,
                                    uint32_t begin, uint32_t end, int32_t *near);

sherd_near_function sherd_near_baseline;
sherd_near_function sherd_near_avx2;   // x86-64 only
sherd_near_function sherd_near_avx512; // x86-64 only
