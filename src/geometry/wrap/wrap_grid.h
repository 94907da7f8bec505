// A sparse grid around the surface of a wrap_field.
//
// Cells are stored in blocks of 4 x 4 x 4. The search starts with cells that intersect a triangle
// and continues through faces whose corners are on both sides, until the surface is closed. No part
// is missed: by the maximum principle, the winding number of a region without triangles is largest
// on its boundary.
#pragma once

#include "geometry/wrap/wrap_field.h"

#include "base/parallel.h"
#include "math/vec3.h"

enum {
    WRAP_BLOCK_BITS = 2,
    WRAP_BLOCK_SIDE = 1 << WRAP_BLOCK_BITS,                          // 4
    WRAP_BLOCK = WRAP_BLOCK_SIDE * WRAP_BLOCK_SIDE * WRAP_BLOCK_SIDE // 64 corners or cells
};

typedef struct wrap_block {
    int32_t at[3];           // in blocks
    uint64_t known, active;  // bits of corners with a value, of visited cells
    float value[WRAP_BLOCK]; // at corners: wrap_field_value
} wrap_block;

typedef struct wrap_grid {
    const wrap_field *field;
    sherd_parallel parallel;
    sherd_vec3 low;
    double h;       // edge of a cell [m]
    size_t cells;   // visited cells
    int32_t n[3];   // blocks
    int32_t *index; // of the block at each position, -1: none  (n[0] n[1] n[2])
    size_t count, capacity;
    wrap_block *blocks;
} wrap_grid;

// Maximum number of cells: those of a compact body of more than a million elements, in 256 MB.
enum { WRAP_MAX_CELLS = 1200000 };

// With cells of `h`, or the smallest that fit memory. Returns false when out of memory; call
// release in any case. With more than WRAP_MAX_CELLS cells, or if no work is left, the grid is
// incomplete.
bool sherd_wrap_grid_init(wrap_grid *grid, const wrap_field *field, double h,
                          sherd_parallel parallel);
void sherd_wrap_grid_release(wrap_grid *grid);

// Returns the block that contains a corner or cell, -1: none.
static inline int32_t wrap_grid_block(const wrap_grid *grid, const int32_t at[3])
{
    int64_t x = at[0] >> WRAP_BLOCK_BITS, y = at[1] >> WRAP_BLOCK_BITS,
            z = at[2] >> WRAP_BLOCK_BITS;
    return grid->index[(z * grid->n[1] + y) * grid->n[0] + x];
}

// Returns its index in the block.
static inline int wrap_grid_index_in_block(const int32_t at[3])
{
    const int mask = WRAP_BLOCK_SIDE - 1;
    return ((at[2] & mask) << 2 * WRAP_BLOCK_BITS) | ((at[1] & mask) << WRAP_BLOCK_BITS) |
           (at[0] & mask);
}

static inline sherd_vec3 wrap_grid_corner(const wrap_grid *grid, const int32_t at[3])
{
    return vec3(grid->low.x + grid->h * at[0], grid->low.y + grid->h * at[1],
                grid->low.z + grid->h * at[2]);
}

// Returns the value at a corner of an active cell.
static inline double wrap_grid_value(const wrap_grid *grid, const int32_t at[3])
{
    return (double)grid->blocks[wrap_grid_block(grid, at)].value[wrap_grid_index_in_block(at)];
}
