// The graph of a model's points: the ends of its edges (bonds), and the edges of each point.
#pragma once

#include "base/assertion.h"

#include <sherd/types.h>

#include <stdint.h>

// All borrowed from the model.
typedef struct sherd_point_graph {
    int64_t count;                    // number of edges, m
    const sherd_element_index *i, *j; // ends                                          (m)
    const uint8_t *broken;            // 1: no longer joins its ends                        (m)
    const uint32_t *start; // edges of point k: edge[start[k]] .. edge[start[k + 1] - 1] (n + 1)
    const uint32_t *edge;  // including broken ones                              (2 m)
} sherd_point_graph;

static inline sherd_element_index sherd_edge_partner(const sherd_point_graph *graph, int64_t edge,
                                                     sherd_element_index of)
{
    SHERD_ASSERT(edge >= 0 && edge < graph->count && (graph->i[edge] == of || graph->j[edge] == of),
                 "the edge ends at the point");
    return graph->i[edge] == of ? graph->j[edge] : graph->i[edge];
}
