// Connectivity of clusters, updated while edges break and are restored.
//
// Clusters are made for the edges that are intact at the time, the *base*. When edges break later,
// only their springs are removed: the structure of all levels stays the same as long as every
// cluster is connected. A cluster across a complete crack would be far too stiff; one across a
// partial crack could result from the graph of all edges as well.
#pragma once

#include "linear/multigrid/coarse_cycle.h"
#include "linear/multigrid/coarse_finest.h"

// Valid when zero-filled. All owned.
typedef struct sherd_coarse_links {
    int64_t edge_count;
    uint8_t *base;        // broken[] when clusters were made (edges)
    uint8_t *known;       // broken[] for which the levels' `links` are counted (edges)
    int64_t intact;       // edges of the base
    int64_t broken_since; // broken ones of them, as of `known`

    // For searching: clusters that may be disconnected, and a breadth-first search in one of them.
    struct sherd_common_cluster *suspects;
    size_t suspect_count, suspect_capacity;
    int32_t *queue;   // (members of the largest cluster)
    uint8_t *reached; // (members of the largest cluster)
} sherd_coarse_links;

// Copies broken[] as the base for new clusters.
sherd_status sherd_coarse_links_begin(sherd_coarse_links *links, const uint8_t *broken,
                                      int64_t count, sherd_error *error);
// After levels are built: counts the edges of the base between their clusters.
sherd_status sherd_coarse_links_count(sherd_coarse_links *links, sherd_coarse_levels *levels,
                                      const sherd_coarse_edges *edges, sherd_error *error);
// Updates the broken edges. False: clusters must be built again, because one is disconnected, or an
// edge that is not in the base was restored, or too many have broken.
bool sherd_coarse_links_follow(sherd_coarse_links *links, sherd_coarse_levels *levels,
                               const sherd_linear_system *system);
void sherd_coarse_links_free(sherd_coarse_links *links);
size_t sherd_coarse_links_bytes(const sherd_coarse_links *links);
