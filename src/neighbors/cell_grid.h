// Broad phase of the neighbour search. Elements are sorted into cells of a periodic grid (torus),
// one per size class, so that radii may differ much:
//
//   level 0   radii in (R/2, R],   cells of 2 R + skin      R: the largest radius
//   level 1   radii in (R/4, R/2], cells of R + skin        ...
//
// An element searches for partners on its own level and on coarser ones, in 3^3 cells each if its
// margin is the smallest.
// Periodicity (coordinates modulo a power of two >= 4) bounds memory however far debris flies:
// elements that wrap into the same cell only cost a distance test.
#pragma once

#include "base/parallel.h"
#include "points/points.h"

#include <sherd/error.h>

#include <math.h>
#include <stdbool.h>

enum {
    SHERD_GRID_LEVELS = 8,     // radii down to 1/256 of the largest; smaller ones are on the last
    SHERD_GRID_LEFT_OUT = 255, // instead of a level
    SHERD_GRID_MOVED = 254,    // also instead of a level
    SHERD_GRID_MAX_MOVED = 4096,
    SHERD_GRID_PADDING = 16, // items that may be read past the end
};

typedef struct sherd_grid_level {
    double max_radius; // of this level's elements [m]
    double max_margin; // [m]
    double cell;       // edge [m]
    double per_metre;  // 1 / cell
    int64_t mask[3];   // cells along each axis - 1
    int shift_y, shift_z;
    uint32_t *start; // (cells + 1) first item of each cell
    size_t start_capacity;
    // Its elements, sorted by cell, then by element (count); vector reads past the end are allowed.
    uint32_t count;
    double *x, *y, *z, *reach; // centre; radius and margin [m]
    double *rank;              // decides which element of a pair finds it: sherd_grid_rank
    sherd_element_index *element;
    size_t item_capacity;
} sherd_grid_level;

typedef struct sherd_cell_grid {
    int level_count;
    double margin_unit; // [m]
    sherd_grid_level levels[SHERD_GRID_LEVELS];
    sherd_grid_level moved; // elements that have left their cells: unsorted items without cells
    // SHERD_GRID_LEFT_OUT for elements in no level, SHERD_GRID_MOVED for those that moved (n)
    uint8_t *level_of;
    uint32_t *cell_of; // or item, for those that moved (n)
    uint8_t *part_of;  // part of the cells that it is in, for sorting (n)
    struct sherd_grid_summary *summaries;
    size_t level_capacity, cell_capacity, part_capacity, summary_capacity;
} sherd_cell_grid;

// Sorts elements; positions must be finite. `margin` is per element [m], skin twice its minimum; an
// infinite one leaves the element out. Zero-filled grids are valid, and grids can be reused.
sherd_status sherd_cell_grid_build(sherd_cell_grid *grid, const sherd_points *points,
                                   const double *margin, double skin,
                                   const sherd_parallel *parallel, sherd_error *error);
// Moves an element of the grid out of its cell to its present position, with this margin. False if
// too many have moved: the grid must be built again.
bool sherd_cell_grid_move(sherd_cell_grid *grid, const sherd_points *points, double margin,
                          sherd_element_index k);
void sherd_cell_grid_free(sherd_cell_grid *grid);
size_t sherd_cell_grid_bytes(const sherd_cell_grid *grid);

// Of two elements on one level the one with the higher rank finds the pair: that with the larger
// margin, in units of margin_unit, or the lower index. Ranks are distinct.
static inline double grid_rank(const sherd_cell_grid *grid, double margin, sherd_element_index k)
{
    return floor(margin / grid->margin_unit) * 2147483648.0 - (double)k;
}

// Upper bound of the margins of elements with a lower rank [m].
static inline double grid_lower_margin(const sherd_cell_grid *grid, double margin)
{
    return margin + 2.0 * grid->margin_unit;
}

// Positions beyond all cells, and non-finite ones until the step's check finds them, get an
// arbitrary cell.
static inline int64_t grid_coordinate(const sherd_grid_level *level, double x)
{
    const double farthest = 4e18; // fits in int64_t
    double q = x * level->per_metre;
    q = q > -farthest ? q : -farthest;
    q = q < farthest ? q : farthest;
    int64_t whole = (int64_t)q;
    return whole - (q < (double)whole);
}

static inline uint32_t grid_cell(const sherd_grid_level *level, int64_t x, int64_t y, int64_t z)
{
    return (uint32_t)((x & level->mask[0]) | (y & level->mask[1]) << level->shift_y |
                      (z & level->mask[2]) << level->shift_z);
}
