// The crack surface inside the cells of one block (see crack_grid.h).
#pragma once

#include "surface/methods/crack/crack_grid.h"

enum {
    CRACK_EDGE = NODES_ALONG, // nodes along an edge, including those shared with the next block
    CRACK_NODES = NODES,
};

typedef struct crack_node {
    strongest_list at; // fragments and logarithms of their densities; the first is the owner
    bool near_slit;    // a crack inside the owner is near
    // Set there for bodies with walls: equal for nodes on the same side of the walls.
    int32_t piece;
    double slit;          // signed distance from it [m]
    sherd_vec3 slit_side; // unit vector along which the distance grows
} crack_node;

// Appends the block's vertices and triangles. `node` is ordered by x, then y, then z. Returns false
// when out of memory.
bool sherd_crack_block_march(const crack_grid *g, const partition *p, crack_block *b,
                             const crack_node node[CRACK_NODES]);
