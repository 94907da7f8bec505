// The crack surface between a body's fragments, as triangles that share their vertices.
//
// Space in and around the body is cut into cubic cells, and each cell into six tetrahedra around its
// main diagonal (Kuhn's subdivision; neighbouring cells agree on their faces). Each node belongs to
// the fragment of largest density there (partition.h). In a tetrahedron whose nodes have several
// owners the logarithms of the densities are interpolated linearly. A vertex lies where two of them
// are equal on an edge, three on a face, or four inside. Surfaces between the vertices:
//
//      owners a a a b        a a b b             a a b c                  a b c d
//      one triangle          a quadrangle        two quadrangles and a    six quadrangles around the
//                                                triangle on the line     inner point
//                                                where three meet
//
// Each vertex stays inside its own edge, face or tetrahedron, and quadrangles that share a line are
// split from the same point. The surface in a tetrahedron is then a cone from one point over
// segments on the tetrahedron's boundary, which cannot intersect itself. So the whole crack surface
// never does, whatever the owners are.
//
// Cracks that end inside a fragment (slit.h) are triangles with that fragment on both sides, in
// tetrahedra that it owns alone.
#pragma once

#include "base/parallel.h"
#include "surface/methods/crack/node_densities.h"
#include "surface/methods/cut/outline.h"
#include "surface/partition/slit.h"

typedef struct crack_vertex {
    uint64_t key; // grid position: equal for the same vertex in different blocks
    sherd_vec3 position;
} crack_vertex;

// As viewed from the owner `front`, corners run counter-clockwise; `back` is the owner behind.
typedef struct crack_triangle {
    int32_t corner[3];
    sherd_fragment_id front, back;
} crack_triangle;

enum { CRACK_BLOCK = NODES_ALONG - 1 }; // cells along a block

// What the walls determine about a block's nodes in the undeformed body, whatever is broken:
// computed on first use, then cached.
typedef struct crack_walls {
    // The share of the way, in 8192ths, from a node to the one at x, y, z bits beyond it at which a wall is; 0: not known
    uint16_t fraction[NODES][8];
    // 2 + index (bin order) of a visible element of any fragment; 1: none, 0: not known.
    int32_t anchor[NODES];
} crack_walls;

typedef struct crack_block {
    int32_t at[3];      // in blocks
    crack_walls *walls; // for bodies with walls, allocated once a crack may be here
    bool sparse;        // no element reaches some parts of the body in it
    int32_t vertex_count, triangle_count;
    size_t vertex_capacity, triangle_capacity;
    crack_vertex *vertices;
    crack_triangle *triangles; // corners: indices of the block's vertices
    uint64_t fingerprint;      // hash of the arrays above
    bool failed;               // ran out of memory
} crack_block;

// A node assigned to a fragment that is smaller than a cell and would own none.
typedef struct assigned_node {
    int32_t at[3];
    sherd_fragment_id label;
} assigned_node;

typedef struct assigned_nodes {
    int32_t count;
    size_t capacity;
    assigned_node *node;
} assigned_nodes;

typedef struct crack_grid {
    sherd_vec3 origin;
    double cell; // [m]
    int32_t count;
    crack_block *blocks;     // all blocks that the body intersects, in order of z, y, x
    assigned_nodes assigned; // of the last update
} crack_grid;

typedef enum crack_result { CRACK_OK, CRACK_MEMORY, CRACK_TOO_LARGE } crack_result;

crack_result sherd_crack_grid_create(crack_grid *g, const outline *o, const partition *p,
                                     double cell, const sherd_parallel *parallel);
void sherd_crack_grid_release(crack_grid *g);
sherd_bounds sherd_crack_block_bounds(const crack_grid *g, const crack_block *b);

// Cells with a node that no element reaches have no crack: they lie outside the body. Only in
// sparse blocks do these nodes belong to the fragment of the nearest element, at any distance.
//
// Rebuilds the triangles of all `stale` blocks, and of those whose assigned nodes changed.
// Afterwards `stale` marks the blocks whose triangles differ from before. Returns false when out of
// memory.
bool sherd_crack_grid_update(crack_grid *g, const partition *p, const slits *s, uint8_t *stale,
                             const sherd_parallel *parallel);
