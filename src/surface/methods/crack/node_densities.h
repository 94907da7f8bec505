// Densities of fragments at the nodes of a block of a grid, a row of nodes at a time.
//
// The same sums as at single points (partition.h), but an element is looked up once for all nodes in its
// reach. A node's sums do not depend on the block for which they are computed. Chips are left out.
#pragma once

#include "surface/partition/partition.h"

enum {
    NODES_ALONG = 8, // one vector
    NODES = NODES_ALONG * NODES_ALONG * NODES_ALONG,
};

typedef struct node_densities {
    int count; // fragments in reach of some node
    size_t label_room, psi_room;
    sherd_fragment_id *label; // of each
    double (*psi)[NODES];     // of each by node: x, then y, then z
} node_densities;

// Node (i, j, k) lies at origin + cell (first + (i, j, k)). May be used again for another block. False
// when memory is short.
bool sherd_node_densities_find(node_densities *d, const partition *p, sherd_vec3 origin,
                               double cell, const int32_t first[3]);
// The place of a fragment among those of a block, zero at first. -1 when memory is short.
int sherd_node_densities_slot(node_densities *d, sherd_fragment_id label);
void sherd_node_densities_release(node_densities *d);
