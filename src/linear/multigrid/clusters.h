// Compact connected groups of nodes, which move as rigid bodies on the next coarser level.
//
// A cluster starts at the first node without cluster. One by one it adds the neighbour with the
// most adjacent members (of equal ones the nearest to the start), until it is large enough. A
// cluster that cannot grow is merged with the earlier cluster that contains most of its neighbours.
// Only neighbours are joined: clusters never cross a crack.
#pragma once

#include <sherd/error.h>

#include <stdint.h>

typedef struct sherd_graph {
    int32_t count;
    const int64_t *start;     // (count + 1)
    const int32_t *neighbour; // in both directions
} sherd_graph;

enum { SHERD_CLUSTER_NONE = -1 };

// Clusters are ordered: first those with neighbours, then those without neighbours but with several
// members, then isolated nodes, each a cluster of its own.
typedef struct sherd_clusters {
    int32_t count;
    int32_t joined;  // [0, joined) have neighbours
    int32_t several; // [joined, several) have none, but several members
} sherd_clusters;

// Fills cluster[node]; nodes that `excluded` marks (may be NULL) get SHERD_CLUSTER_NONE and must have no
// neighbours. `size`: members of most clusters, >= 2.
sherd_status sherd_clusters_find(const sherd_graph *graph, const uint8_t *excluded, int size,
                                 int32_t *cluster, sherd_clusters *found, sherd_error *error);
