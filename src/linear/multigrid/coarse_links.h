// The edges that connect clusters, updated while edges break and come back.
//
// Clusters are made for the edges that are intact at the time, the *base*. Of edges that break later only the springs
// are removed: the structure of all levels stays as it is, as long as every cluster is connected. A cluster across a
// complete crack would be far too stiff; one across a part of it could as well come from the graph of all edges.
#pragma once

#include "linear/multigrid/coarse_cycle.h"
#include "linear/multigrid/coarse_first.h"

// Start from zeros. All owned.
typedef struct sherd_coarse_links {
    int64_t edge_count;
    uint8_t *base;        // broken[] when clusters were made (edges)
    uint8_t *known;       // broken[] that the levels' `links` are of (edges)
    int64_t intact;       // edges of the base
    int64_t broken_since; // of them, broken as far as is known

    // For searching: clusters that may be disconnected, and a walk through one of them.
    struct sherd_common_cluster *suspects;
    size_t suspect_count, suspect_capacity;
    int32_t *queue;   // (members of the largest cluster)
    uint8_t *reached; // (members of the largest cluster)
} sherd_coarse_links;

// Takes a copy of broken[] as the base that clusters are going to be made for.
sherd_status sherd_coarse_links_begin(sherd_coarse_links *links, const uint8_t *broken,
                                      int64_t count, sherd_error *error);
// Once levels are there: counts the edges of the base between their clusters.
sherd_status sherd_coarse_links_count(sherd_coarse_links *links, sherd_coarse_levels *levels,
                                      const sherd_coarse_edges *edges, sherd_error *error);
// Takes over which edges are broken now. False: clusters must be made again, since one is disconnected, or
// an edge came back that the base lacks, or too many have broken.
bool sherd_coarse_links_follow(sherd_coarse_links *links, sherd_coarse_levels *levels,
                               const sherd_linear_system *system);
void sherd_coarse_links_free(sherd_coarse_links *links);
size_t sherd_coarse_links_bytes(const sherd_coarse_links *links);
