// The graph from which clusters are built: intact edges between points that are not fully held.
#pragma once

#include "linear/linear_system.h"
#include "linear/multigrid/clusters.h"

// `edge` is parallel to the graph's neighbours.
typedef struct sherd_edge_graph {
    sherd_graph graph;
    int64_t *start;     // owned
    int32_t *neighbour; // owned
    uint32_t *edge;     // owned
    uint8_t *held;      // fully (nodes); owned
    bool any_held;      // at least partly
} sherd_edge_graph;

sherd_status sherd_edge_graph_build(sherd_edge_graph *graph, const sherd_linear_system *system,
                                    sherd_error *error);
void sherd_edge_graph_free(sherd_edge_graph *graph);
