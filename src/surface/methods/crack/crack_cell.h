// The crack surface inside the cells of one block (see crack_grid.h).
#pragma once

#include "surface/methods/crack/crack_grid.h"

enum {
    CRACK_EDGE = NODES_ALONG, // those shared with the next block included
    CRACK_NODES = NODES,
};

typedef struct crack_node {
    strongest_list at;    // fragments and logarithms of their densities; the first is the owner
    bool near_slit;       // a crack inside the owner is near
    int32_t piece;        // there, of bodies with walls: equal on one side of them
    double slit;          // signed distance from it [m]
    sherd_vec3 slit_side; // where that grows
} crack_node;

// Appends the block's vertices and triangles. `node` by x, then y, then z. False when memory is short.
bool sherd_crack_block_march(const crack_grid *g, const partition *p, crack_block *b,
                             const crack_node node[CRACK_NODES]);
