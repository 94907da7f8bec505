// Compact connected groups of nodes, which move as one on the next coarser level.
//
// A cluster starts at the first node that has none and takes, one by one, the neighbour that most of its
// members touch, of those the one nearest to the start, until it is large enough. Where it can't grow it
// joins an earlier cluster, the one that most of its neighbours are in. Only neighbours join: clusters
// never reach across a crack.
#pragma once

#include <sherd/error.h>

#include <stdint.h>

typedef struct sherd_graph {
    int32_t count;
    const int64_t *start;     // (count + 1)
    const int32_t *neighbour; // both ways
} sherd_graph;

enum { SHERD_CLUSTER_NONE = -1 };

// Clusters are numbered: first those that have neighbours, then those that have none but several
// members, then nodes without neighbours, each a cluster of its own.
typedef struct sherd_clusters {
    int32_t count;
    int32_t joined;  // [0, joined) have neighbours
    int32_t several; // [joined, several) have none, but several members
} sherd_clusters;

// Fills cluster[node]; nodes that `excluded` marks (may be NULL) get SHERD_CLUSTER_NONE and must have no
// neighbours. `size`: members of most clusters, >= 2.
sherd_status sherd_clusters_find(const sherd_graph *graph, const uint8_t *excluded, int size,
                                 int32_t *cluster, sherd_clusters *found, sherd_error *error);
