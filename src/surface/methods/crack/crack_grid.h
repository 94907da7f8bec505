// Where a body's fragments meet: the crack surface, as triangles that share their vertices.
//
// Space in and around the body is cut into cubic cells, and each cell into six tetrahedra around its
// main diagonal (Kuhn's subdivision; cells agree on their faces). Nodes belong to the fragment of
// largest density there (partition.h). In a tetrahedron whose nodes have several owners the logarithms
// of the densities are interpolated linearly; where two are equal on an edge, three on a face or four
// inside is a vertex. Surfaces between the vertices:
//
//      owners a a a b        a a b b             a a b c                  a b c d
//      one triangle          a quadrangle        two quadrangles and a    six quadrangles around the
//                                                triangle on the line     inner point
//                                                where three meet
//
// Each vertex stays inside its own edge, face or tetrahedron, and quadrangles that share a line are cut
// from one and the same point: then what lies in a tetrahedron is a cone over segments of its boundary
// from a point of it, and cannot cut itself. So the whole crack surface never does, whatever the owners.
//
// Cracks that end inside a fragment (slit.h) are triangles with that fragment on both sides, in
// tetrahedra that it owns alone.
#pragma once

#include "base/parallel.h"
#include "surface/methods/crack/node_densities.h"
#include "surface/methods/cut/outline.h"
#include "surface/partition/slit.h"

typedef struct crack_vertex {
    uint64_t key; // where in the grid: equal for the same vertex in different blocks
    sherd_vec3 position;
} crack_vertex;

// Seen from the owner `front`, corners run counter-clockwise; `back` is behind.
typedef struct crack_triangle {
    int32_t corner[3];
    sherd_fragment_id front, back;
} crack_triangle;

enum { CRACK_BLOCK = NODES_ALONG - 1 }; // cells along a block

// What walls tell of a block's nodes at rest, whatever is broken: found when it is first asked for, then kept.
typedef struct crack_walls {
    // The share of the way, in 8192ths, from a node to the one at x, y, z bits beyond it at which a wall is; 0: not known
    uint16_t share[NODES][8];
    int32_t
        anchor[NODES]; // element of any fragment in sight, in bin order, + 2; 1: none, 0: not known
} crack_walls;

typedef struct crack_block {
    int32_t at[3];      // in blocks
    crack_walls *walls; // of bodies with walls, once a crack may be here
    bool sparse;        // parts of the body in it are beyond all elements' reach
    int32_t vertex_count, triangle_count;
    size_t vertex_room, triangle_room;
    crack_vertex *vertices;
    crack_triangle *triangles; // corners: the block's vertices
    uint64_t fingerprint;      // of what is above
    bool failed;               // memory was short
} crack_block;

// A node given to a fragment that would own none: one smaller than a cell.
typedef struct crack_gift {
    int32_t at[3];
    sherd_fragment_id label;
} crack_gift;

typedef struct crack_gifts {
    int32_t count;
    size_t room;
    crack_gift *gifts;
} crack_gifts;

typedef struct crack_grid {
    sherd_vec3 origin;
    double cell; // [m]
    int32_t count;
    crack_block *blocks; // all that the body touches, in order of z, y, x
    crack_gifts gifts;   // of the last update
} crack_grid;

typedef enum crack_result { CRACK_OK, CRACK_MEMORY, CRACK_TOO_LARGE } crack_result;

crack_result sherd_crack_grid_create(crack_grid *g, const outline *o, const partition *p,
                                     double cell, const sherd_parallel *parallel);
void sherd_crack_grid_release(crack_grid *g);
sherd_bounds sherd_crack_block_bounds(const crack_grid *g, const crack_block *b);

// Cells with a node that no element reaches have no crack: they lie outside the body. Only in sparse
// blocks such nodes belong to the nearest element's fragment, wherever that is.
//
// Rebuilds the triangles of all blocks that are `stale`, and of those whose gifts changed. Afterwards
// those are `stale` that came out otherwise than they were. False when memory is short.
bool sherd_crack_grid_update(crack_grid *g, const partition *p, const slits *s, uint8_t *stale,
                             const sherd_parallel *parallel);
