// The sparse grid of all bodies. Nodes have spacing h and lie in blocks of 4 x 4 x 4: block B
// begins at node 4 B - 1. A layer is one block of one body. Points of one body in one block of 4 x
// 4 x 4 cells form a page: they reach at most 8 x 8 x 8 nodes, the page's tile, which are the nodes
// of 8 blocks, as long as none of them has moved farther than h / 2 along an axis since pages were
// made.
#pragma once

#include "models/mpm/grid/mpm_points.h"
#include "models/mpm/grid/mpm_walls.h"

#include <sherd/error.h>

enum {
    SHERD_MPM_ROWS = SHERD_MPM_SIDE * SHERD_MPM_SIDE,
    SHERD_MPM_NODES = SHERD_MPM_ROWS * SHERD_MPM_SIDE,
    SHERD_MPM_TILE = 2 * SHERD_MPM_SIDE, // along the edge of a tile
    SHERD_MPM_TILE_NODES = SHERD_MPM_TILE * SHERD_MPM_TILE * SHERD_MPM_TILE,
    SHERD_MPM_PARTS = 8, // blocks of a tile
    SHERD_MPM_STIRRED = 5,
    SHERD_MPM_COLOURS = 8, // pages of one colour share no layer
};

// Nodes along a side that a point reaches.
typedef enum sherd_mpm_kernel { SHERD_MPM_QUADRATIC = 3, SHERD_MPM_CUBIC = 4 } sherd_mpm_kernel;

typedef struct sherd_mpm_page {
    int32_t block[3]; // the tile's first
    uint32_t body;
    size_t begin, end;              // points, whole batches
    int32_t layer[SHERD_MPM_PARTS]; // x fastest
    uint8_t low[3], high[3]; // nodes of the tile that points reach now, the latter beyond the last
    double dissipated;       // by plastic flow, when points last went to the grid [J]
    double pressed;          // by those impulses of stress along what points moved by before [J]
    double given;            // energy stored by mpm_fluid_density.h in this step [J]
    double stirred
        [SHERD_MPM_STIRRED]; // of fluids: sums of volume, and of that times velocity and its square
} sherd_mpm_page;

// Of each node, x fastest: mass [kg] and momentum [kg m/s]; impulse of stress [N s] and 0.
typedef struct sherd_mpm_loads {
    double node[SHERD_MPM_NODES][2][4];
} sherd_mpm_loads;

// What acts at a node besides stress and gravity: nothing; bodies push each other; a wall or a
// coupled body may touch, a driver holds, or glue that softens may pull.
enum { SHERD_MPM_FREE = 0, SHERD_MPM_PUSHED = 1, SHERD_MPM_BOUND = 2 };

// Of each node: new velocity and its mass [kg]; new less alpha times old velocity [m/s], and one of
// the above.
typedef struct sherd_mpm_motion {
    double node[SHERD_MPM_NODES][2][4];
} sherd_mpm_motion;

// Where bodies share a block, or a wall is near: a body's volume at the node, sum w V [m^3], and
// its first moment, sum w V (x_p - x_i) [m^4]; its spin times volume, sum w V curl v / 2 [m^3/s],
// of elastic bodies that are affine; and 0.
typedef struct sherd_mpm_moments {
    double node[SHERD_MPM_NODES][8];
} sherd_mpm_moments;

// Where glue needs it: a body's volume as deformed, V = J V0, at the node, sum w V [m^3]; sum w V
// sigma by components, xx, yy, zz, yz, xz, xy [N m], as V sigma = V0 tau; and 0.
typedef struct sherd_mpm_stresses {
    double node[SHERD_MPM_NODES][8];
} sherd_mpm_stresses;

// Of each node in a short step (mpm_unresolved_modes.h): the change of its velocity, and what
// points give back of it as momentum.
typedef struct sherd_mpm_unresolved {
    double change[SHERD_MPM_NODES][4], resolved[SHERD_MPM_NODES][4];
} sherd_mpm_unresolved;

// Of each node: volume of fluids at rest, room that others leave, both as shares of the cell; of
// that, what walls take.
typedef struct sherd_mpm_volume_fractions {
    double node[SHERD_MPM_NODES][4];
} sherd_mpm_volume_fractions;

typedef struct sherd_mpm_layer {
    int32_t block[3];
    uint32_t body;
    int32_t moments; // of the grid's; -1 where the block has one body and no wall is near
    int32_t stress;  // of the grid's; -1 where nobody asks for it
    bool apart;      // at a node of its block not all bodies are joined: moments are needed
    bool moved;      // its motion has changed since it was set
    // Rows of four nodes along x, of 16, that points reach in this step, and that they reached
    // since motion was set: loads and motion of others are 0 once motion is set. Rows whose moments
    // have been drawn.
    uint16_t rows, rows_before, moment_rows;
    double brought[3], after[2]; // scratch of mpm_node_update.h [J]
} sherd_mpm_layer;

// A block in which a coupled body (mpm_coupling.h) may be.
typedef struct sherd_mpm_coupled_block {
    int32_t block[3];
    uint32_t body;
} sherd_mpm_coupled_block;

// Layers of one block that several bodies share, or that a wall is near.
typedef struct sherd_mpm_shared_block {
    size_t begin, end;
} sherd_mpm_shared_block;

typedef struct sherd_mpm_grid {
    double h; // spacing [m]
    sherd_mpm_kernel kernel;
    sherd_mpm_page *pages;                                // by colour  (page_count)
    size_t page_count, first_page[SHERD_MPM_COLOURS + 1]; // of each colour
    // Pages, those of small bodies first, body by body (page_count): mpm_traversal.h
    uint32_t *traversal;
    size_t *small, small_count; // the first place of each small body, and the end of the last
    size_t first_large[SHERD_MPM_COLOURS + 1]; // visit, of each colour
    // By block, then by body: those of one block lie together  (layer_count)
    sherd_mpm_layer *layers;
    size_t layer_count;
    sherd_mpm_loads *loads;   // (layer_count)
    sherd_mpm_motion *motion; // (layer_count)
    sherd_mpm_shared_block *shared;
    sherd_mpm_moments *moments;
    size_t shared_count, moments_count;
    sherd_mpm_stresses *stresses; // (stress_count), made by who asks for them: mpm_glue.h
    size_t stress_count;
    // (layer_count), made by the first short step; NULL: there was none
    sherd_mpm_unresolved *unresolved;
    sherd_mpm_volume_fractions *fractions; // (layer_count), where there are fluids; NULL: not yet
    const sherd_mpm_walls *walls;          // NULL: none; not owned
    uint32_t first_coupled; // bodies from this one on are coupled bodies; 0: there are none
    // Where coupled bodies are, in any order, each as often as you like: they get layers where
    // points have some. Not owned.
    const sherd_mpm_coupled_block *coupled_blocks;
    size_t coupled_block_count;
} sherd_mpm_grid;

// Sorts points into pages and makes what they reach. SHERD_ERROR_INPUT when points lie too far
// apart, or one is not finite: the error names it; SHERD_ERROR_MEMORY. The grid must be released in
// any case.
sherd_status sherd_mpm_grid_build(sherd_mpm_grid *grid, sherd_mpm_points *points,
                                  sherd_error *error);
// The same from pages of points that are sorted already, of which blocks, bodies and points are
// given, and which layers had moments then (as many as there are layers).
typedef struct sherd_mpm_sorted {
    const sherd_mpm_page *pages;
    size_t page_count;
    const uint8_t *moment_rows;
    size_t layer_count;
    const sherd_mpm_coupled_block *coupling; // the layers of coupled bodies
    size_t coupled_count;
} sherd_mpm_sorted;
sherd_status sherd_mpm_grid_rebuild(sherd_mpm_grid *grid, const sherd_mpm_sorted *sorted,
                                    sherd_error *error);
void sherd_mpm_grid_release(sherd_mpm_grid *grid);

static inline bool sherd_mpm_is_coupled(const sherd_mpm_grid *grid, size_t layer)
{
    return grid->first_coupled > 0 && grid->layers[layer].body >= grid->first_coupled;
}

// The first block of a tile for what is at x: in the middle of it, as far as whole blocks can be.
void sherd_mpm_block_at(const sherd_mpm_grid *grid, const double x[3], int32_t block[3]);
// The layer of a body in a block, or -1.
int32_t sherd_mpm_find_layer(const sherd_mpm_grid *grid, const int32_t block[3], uint32_t body);
