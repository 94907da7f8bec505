// A sparse grid of marching-tetrahedra corners over one body, in blocks of 8 x 8 x 8, with the
// owner of each corner. All fragments of a body share it, so both sides of a crack use the same
// values.
#pragma once

#include "base/parallel.h"
#include "surface/partition/key_map.h"
#include "surface/partition/partition.h"
#include "surface/partition/slit.h"

#include <sherd/shape.h>

enum {
    BLOCK_EDGE = 8,
    BLOCK_CORNERS = BLOCK_EDGE * BLOCK_EDGE * BLOCK_EDGE,
    PATCH_EDGE = BLOCK_EDGE + 1, // corners of a block's cells
    PATCH_CORNERS = PATCH_EDGE * PATCH_EDGE * PATCH_EDGE,
};

// Owners that are not fragments (fragment ids are positive).
enum {
    OWNER_OUTSIDE = 0, // outside the shape
    OWNER_SLIT = -1,   // in the opening of a crack inside a fragment
};

typedef struct grid_block {
    int32_t at[3];                          // of its first corner, in blocks
    int32_t upper[8];                       // blocks at +(x,y,z) bits 0, 1, 2 of the index; -1 none
    uint64_t inside[BLOCK_CORNERS / 64];    // the shape's sign at each corner, x fastest
    sherd_fragment_id owner[BLOCK_CORNERS]; // x fastest
} grid_block;

typedef struct grid {
    sherd_vec3 origin; // of corner (0, 0, 0) [m]
    double cell;       // [m]
    int32_t count;
    grid_block *blocks; // ordered by the first element that needs the block
    key_map index;      // maps positions to blocks
} grid;

typedef enum grid_result { GRID_OK, GRID_MEMORY, GRID_TOO_LARGE } grid_result;

// Creates blocks within the reach of all elements, with the shape's sign at their corners. Without
// a shape (NULL) all corners count as inside, and owners decide.
grid_result sherd_grid_create(grid *g, const partition *p, const sherd_shape *shape, double cell,
                              const sherd_parallel *parallel);
void sherd_grid_release(grid *g);

sherd_vec3 sherd_grid_corner(const grid *g, const int32_t corner[3]);
sherd_bounds sherd_grid_block_bounds(const grid *g, const grid_block *block);

// Block coordinates of the blocks that contain the corners of a box; the block at given coordinates
// (-1: none).
void sherd_grid_block_range(const grid *g, sherd_vec3 low, sherd_vec3 high, int32_t first[3],
                            int32_t last[3]);
int32_t sherd_grid_find_block(const grid *g, int32_t x, int32_t y, int32_t z);

// Recomputes the owners of a block's corners. Corners within `half_slit` of a crack's middle count
// as its opening.
void sherd_grid_assign(const grid *g, grid_block *block, const partition *p, const slits *s,
                       double half_slit);

// Copies the owners at all corners of a block's cells, including those of its upper neighbours.
void sherd_grid_patch(const grid *g, const grid_block *block,
                      sherd_fragment_id owner[PATCH_CORNERS]);
