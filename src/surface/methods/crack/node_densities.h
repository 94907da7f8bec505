// Densities of fragments at the nodes of a grid block, a row of nodes at a time.
//
// The sums are the same as at single points (partition.h), but an element is looked up once for all
// nodes in its reach. A node's sums do not depend on the block for which they are computed. Chips
// are left out.
#pragma once

#include "surface/partition/partition.h"

enum {
    NODES_ALONG = 8, // one vector
    NODES = NODES_ALONG * NODES_ALONG * NODES_ALONG,
};

typedef struct node_densities {
    int count; // fragments that reach some node
    size_t label_capacity, psi_capacity;
    sherd_fragment_id *label; // of each
    double (*psi)[NODES];     // of each by node: x, then y, then z
} node_densities;

// Node (i, j, k) lies at origin + cell (first + (i, j, k)). The structure can be reused for another
// block. Returns false when out of memory.
bool sherd_node_densities_find(node_densities *d, const partition *p, sherd_vec3 origin,
                               double cell, const int32_t first[3]);
// Returns the index of a fragment among those of a block, adding it with zero densities if new. -1
// when out of memory.
int sherd_node_densities_slot(node_densities *d, sherd_fragment_id label);
void sherd_node_densities_release(node_densities *d);
