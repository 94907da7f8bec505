// The sparse grid of all bodies. Nodes have spacing h and are stored in blocks of 4 x 4 x 4: block
// B begins at node 4 B - 1. A layer holds one body's values in one block. The points of one body in
// 4 x 4 x 4 cells form a page. Their kernels reach at most 8 x 8 x 8 nodes, the page's tile, which
// consists of 8 blocks. This holds as long as no point has moved farther than h / 2 along an axis
// since pages were made.
#pragma once

#include "models/mpm/grid/mpm_points.h"
#include "models/mpm/grid/mpm_walls.h"

#include <sherd/error.h>

enum {
    SHERD_MPM_ROWS = SHERD_MPM_SIDE * SHERD_MPM_SIDE,
    SHERD_MPM_NODES = SHERD_MPM_ROWS * SHERD_MPM_SIDE,
    SHERD_MPM_TILE = 2 * SHERD_MPM_SIDE, // nodes along the edge of a tile
    SHERD_MPM_TILE_NODES = SHERD_MPM_TILE * SHERD_MPM_TILE * SHERD_MPM_TILE,
    SHERD_MPM_PARTS = 8, // blocks of a tile
    SHERD_MPM_STIRRED = 5,
    // pages of the same colour share no layer, so that threads can work on them at once
    SHERD_MPM_COLOURS = 8,
};

// Number of nodes along an axis in the kernel's support.
typedef enum sherd_mpm_kernel { SHERD_MPM_QUADRATIC = 3, SHERD_MPM_CUBIC = 4 } sherd_mpm_kernel;

typedef struct sherd_mpm_page {
    int32_t block[3]; // the tile's first block
    uint32_t body;
    size_t begin, end;              // points; multiples of the batch size
    int32_t layer[SHERD_MPM_PARTS]; // x fastest
    // nodes of the tile that points reach at present: first, and one beyond the last
    uint8_t low[3], high[3];
    double dissipated; // plastic dissipation in the last transfer to the grid [J]
    // work of those impulses of stress along the points' previous displacement [J]
    double pressed;
    double given; // energy added by mpm_fluid_density.h in this step [J]
    double stirred
        [SHERD_MPM_STIRRED]; // of fluids: sums of volume, and of that times velocity and its square
} sherd_mpm_page;

// Loads of each node, x fastest: mass [kg] and momentum [kg m/s]; impulse of stress [N s] and 0.
typedef struct sherd_mpm_loads {
    double node[SHERD_MPM_NODES][2][4];
} sherd_mpm_loads;

// What acts at a node besides stress and gravity. FREE: nothing. PUSHED: bodies push each other.
// BOUND: a wall or a coupled body may touch, a driver holds the node, or softening glue may pull.
enum { SHERD_MPM_FREE = 0, SHERD_MPM_PUSHED = 1, SHERD_MPM_BOUND = 2 };

// Motion of each node: new velocity [m/s] and mass [kg]; new velocity less alpha times the old one
// [m/s], and one of the above kinds.
typedef struct sherd_mpm_motion {
    double node[SHERD_MPM_NODES][2][4];
} sherd_mpm_motion;

// Moments of volume, in blocks that bodies share or that are near a wall: a body's volume at the
// node, sum w V [m^3], and its first moment, sum w V (x_p - x_i) [m^4]; its spin times volume, sum
// w V curl v / 2 [m^3/s], for affine elastic bodies; and 0.
typedef struct sherd_mpm_moments {
    double node[SHERD_MPM_NODES][8];
} sherd_mpm_moments;

// Nodal stress, where glue needs it: a body's deformed volume at the node, sum w V with V = J V0
// [m^3]; the components of sum w V sigma = sum w V0 tau, xx, yy, zz, yz, xz, xy [N m]; and 0.
typedef struct sherd_mpm_stresses {
    double node[SHERD_MPM_NODES][8];
} sherd_mpm_stresses;

// In short steps (mpm_unresolved_modes.h): the change of each node's velocity, and the part of it
// that points transfer back as momentum.
typedef struct sherd_mpm_unresolved {
    double change[SHERD_MPM_NODES][4], resolved[SHERD_MPM_NODES][4];
} sherd_mpm_unresolved;

// At each node, as fractions of the cell: rest volume of fluids; room left by other bodies and
// walls; volume taken by walls.
typedef struct sherd_mpm_volume_fractions {
    double node[SHERD_MPM_NODES][4];
} sherd_mpm_volume_fractions;

// Phase field (damage/mpm_phase_field.h), x fastest: of each node the sums of w V, w V c and w V (F + eta/dt), and 0; and vectors
// of conjugate gradients: the field, its change in the step, the residual, the direction and the matrix's product with it.
enum {
    SHERD_MPM_PHASE_C,
    SHERD_MPM_PHASE_CHANGE,
    SHERD_MPM_PHASE_REST,
    SHERD_MPM_PHASE_WAY,
    SHERD_MPM_PHASE_PRODUCT,
    SHERD_MPM_PHASE_VECTORS
};
typedef struct sherd_mpm_phase {
    double sum[SHERD_MPM_NODES][4], vector[SHERD_MPM_PHASE_VECTORS][SHERD_MPM_NODES];
} sherd_mpm_phase;

typedef struct sherd_mpm_layer {
    int32_t block[3];
    uint32_t body;
    int32_t moments; // index in the grid's list; -1 if the block has one body and no wall is near
    int32_t stress;  // index in the grid's list; -1 if not needed
    // bodies are not all joined at some node of the block, so that moments are needed
    bool apart;
    bool moved; // motion was changed after it was set
    // Bit masks of the 16 rows of four nodes along x: those that points reach in this step, and
    // those that they reached when motion was last set. Loads and motion of other rows are 0 once
    // motion is set. `moment_rows`: rows whose moments are set.
    uint16_t rows, rows_before, moment_rows;
    double brought[3], after[2]; // scratch of mpm_node_update.h [J]
} sherd_mpm_layer;

// A block that a coupled body (mpm_coupling.h) may reach.
typedef struct sherd_mpm_coupled_block {
    int32_t block[3];
    uint32_t body;
} sherd_mpm_coupled_block;

// The layers of a block that several bodies share, or that is near a wall.
typedef struct sherd_mpm_shared_block {
    size_t begin, end;
} sherd_mpm_shared_block;

typedef struct sherd_mpm_grid {
    double h; // spacing [m]
    sherd_mpm_kernel kernel;
    sherd_mpm_page *pages;                                // sorted by colour (page_count)
    size_t page_count, first_page[SHERD_MPM_COLOURS + 1]; // of each colour
    // Indices of pages: those of small bodies first, body by body (page_count), see mpm_traversal.h
    uint32_t *traversal;
    // first index in `traversal` of each small body, and the end of the last
    size_t *small, small_count;
    // first index in `traversal` of each colour of large bodies
    size_t first_large[SHERD_MPM_COLOURS + 1];
    // Sorted by block, then by body, so that the layers of a block are adjacent (layer_count)
    sherd_mpm_layer *layers;
    size_t layer_count;
    sherd_mpm_loads *loads;   // (layer_count)
    sherd_mpm_motion *motion; // (layer_count)
    sherd_mpm_shared_block *shared;
    sherd_mpm_moments *moments;
    size_t shared_count, moments_count;
    // (stress_count), allocated by the code that needs them: mpm_glue.h
    sherd_mpm_stresses *stresses;
    size_t stress_count;
    // (layer_count), allocated by the first short step; NULL before
    sherd_mpm_unresolved *unresolved;
    sherd_mpm_volume_fractions *fractions; // (layer_count), if there are fluids; NULL before
    sherd_mpm_phase *phase;       // (layer_count), allocated by the first solution; NULL before
    const sherd_mpm_walls *walls; // NULL: none; not owned
    // bodies with numbers from this one on are coupled bodies; 0: there are none
    uint32_t first_coupled;
    // The blocks of coupled bodies, in any order and possibly repeated. They get layers in those
    // that points reach. Not owned.
    const sherd_mpm_coupled_block *coupled_blocks;
    size_t coupled_block_count;
} sherd_mpm_grid;

// Sorts points into pages and allocates the blocks and layers that they reach. SHERD_ERROR_INPUT if
// points lie too far apart or one is not finite; the error names it. SHERD_ERROR_MEMORY. The grid
// must be released in any case.
sherd_status sherd_mpm_grid_build(sherd_mpm_grid *grid, sherd_mpm_points *points,
                                  sherd_error *error);
// The same from pages of points that are already sorted. Of the pages, block, body and points are
// given; `moment_rows` of the previous layers are given too (as many as there are layers).
typedef struct sherd_mpm_sorted {
    const sherd_mpm_page *pages;
    size_t page_count;
    const uint8_t *moment_rows;
    size_t layer_count;
    const sherd_mpm_coupled_block *coupling; // layers of coupled bodies
    size_t coupled_count;
} sherd_mpm_sorted;
sherd_status sherd_mpm_grid_rebuild(sherd_mpm_grid *grid, const sherd_mpm_sorted *sorted,
                                    sherd_error *error);
void sherd_mpm_grid_release(sherd_mpm_grid *grid);
// Gives memory back between steps: that of loads and unresolved modes, which each step sets anew.
void sherd_mpm_grid_rest(sherd_mpm_grid *grid);

static inline bool sherd_mpm_is_coupled(const sherd_mpm_grid *grid, size_t layer)
{
    return grid->first_coupled > 0 && grid->layers[layer].body >= grid->first_coupled;
}

// Sets the first block of the tile that has x as near to its middle as whole blocks allow.
void sherd_mpm_block_at(const sherd_mpm_grid *grid, const double x[3], int32_t block[3]);
// The layer of a body in a block, or -1.
int32_t sherd_mpm_find_layer(const sherd_mpm_grid *grid, const int32_t block[3], uint32_t body);
