// Broad phase: which elements are near each other. Elements are sorted into cells of a torus, one
// torus per class of size, so that radii may differ by far:
//
//   level 0   radii in (R/2, R],   cells of 2 R + skin      R: the largest radius
//   level 1   radii in (R/4, R/2], cells of R + skin        ...
//
// An element looks for partners on its own level and on coarser ones, in 3^3 cells each if its margin
// is the least.
// A torus (coordinates modulo a power of two >= 4) keeps memory bounded however far debris flies:
// wrapped-in strangers only cost a distance test.
#pragma once

#include "base/parallel.h"
#include "element/elements.h"

#include <math.h>

enum {
    SHERD_GRID_LEVELS = 8, // radii down to 1/256 of the largest; smaller ones share the last
    SHERD_GRID_LEFT_OUT = 255,
};

typedef struct sherd_grid_item {
    double x, y, z;
    double reach;  // radius and margin [m]
    double margin; // [m]
    sherd_element_index index;
} sherd_grid_item;

typedef struct sherd_grid_level {
    double max_radius; // of this level's elements [m]
    double max_margin; // [m]
    double cell;       // edge [m]
    int64_t mask[3];   // cells along each axis - 1
    int shift_y, shift_z;
    uint32_t *start; // (cells + 1) first item of each cell
    size_t start_capacity;
    sherd_grid_item *items; // sorted by cell, then by element
    size_t item_capacity;
    uint32_t count;
} sherd_grid_level;

typedef struct sherd_cell_grid {
    int level_count;
    sherd_grid_level levels[SHERD_GRID_LEVELS];
    uint8_t *level_of; // SHERD_GRID_LEFT_OUT for elements that are in none (n)
    uint32_t *cell_of; // (n)
    size_t level_capacity, cell_capacity;
} sherd_cell_grid;

// Sorts elements; positions must be finite. `margin` is per element [m], skin twice its least; an
// infinite one leaves the element out. Zero-filled grids are valid and reused.
sherd_status sherd_cell_grid_build(sherd_cell_grid *grid, const sherd_elements *elements,
                                   const double *margin, double skin,
                                   const sherd_parallel *parallel, sherd_error *error);
void sherd_cell_grid_free(sherd_cell_grid *grid);
size_t sherd_cell_grid_bytes(const sherd_cell_grid *grid);

static inline int64_t grid_coordinate(const sherd_grid_level *level, double x)
{
    return (int64_t)floor(x / level->cell);
}

static inline uint32_t grid_cell(const sherd_grid_level *level, int64_t x, int64_t y, int64_t z)
{
    return (uint32_t)((x & level->mask[0]) | (y & level->mask[1]) << level->shift_y |
                      (z & level->mask[2]) << level->shift_z);
}
