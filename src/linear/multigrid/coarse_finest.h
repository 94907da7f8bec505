// The finest level of clusters: groups of points and free bodies.
#pragma once

#include "linear/linear_system.h"
#include "linear/multigrid/coarse_level.h"
#include "linear/multigrid/edge_graph.h"

// The edges between clusters, which depend on the topology.
typedef struct sherd_coarse_edges {
    // By entry of the level's rows, in `edge`; only entries with a later neighbour have edges
    // (entries + 1).
    int64_t *start;
    uint32_t *edge;  // edges of entries, then edges to held nodes
    int64_t *ground; // by row, in `edge` (count + 1)
    int64_t *mate;   // by entry: the opposite entry of the neighbour (entries)
    int64_t count;   // of `edge`
    bool any_held;
} sherd_coarse_edges;

sherd_status sherd_coarse_edges_build(sherd_coarse_edges *edges, const sherd_coarse_level *level,
                                      const sherd_edge_graph *graph,
                                      const sherd_linear_system *system, sherd_error *error);
void sherd_coarse_edges_free(sherd_coarse_edges *edges);
size_t sherd_coarse_edges_bytes(const sherd_coarse_edges *edges, const sherd_coarse_level *level);

// Computes centres, offsets, inertia and springs of edges at the system's present state.
void sherd_coarse_first_refresh(sherd_coarse_level *level, const sherd_coarse_edges *edges,
                                const sherd_linear_system *system);
