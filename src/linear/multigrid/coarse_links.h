// What holds clusters together, followed while bonds break and come back.
//
// Clusters are made for the bonds that are intact at the time, the *base*. Bonds that break later only
// count as no spring: the structure of all levels stays as it is, as long as every cluster still hangs
// together. A cluster across a complete crack would be far too stiff; one across a part of it is what
// the graph of all bonds could have given as well.
#pragma once

#include "linear/multigrid/coarse_cycle.h"
#include "linear/multigrid/coarse_first.h"

// Start from zeros. All owned.
typedef struct sherd_coarse_links {
    int64_t bond_count;
    uint8_t *base;  // broken[] when clusters were made (bonds)
    uint8_t *known; // broken[] that the levels' `links` are of (bonds)
    int64_t intact; // bonds of the base
    int64_t lost;   // of them, broken as far as is known

    // For searching: meetings of bonds that broke, and a walk through one cluster.
    struct sherd_coarse_meeting *meetings;
    size_t meeting_count, meeting_capacity;
    int32_t *queue;   // (members of the largest cluster)
    uint8_t *reached; // (members of the largest cluster)
} sherd_coarse_links;

// Takes a copy of broken[] as the base that clusters are going to be made for.
sherd_status sherd_coarse_links_begin(sherd_coarse_links *links, const uint8_t *broken,
                                      int64_t count, sherd_error *error);
// Once levels are there: counts the bonds of the base between their clusters.
sherd_status sherd_coarse_links_count(sherd_coarse_links *links, sherd_coarse_levels *levels,
                                      const sherd_coarse_bonds *bonds, sherd_error *error);
// Takes over which bonds are broken now. False: clusters must be made anew, since one has come apart, or
// a bond came back that the base lacks, or too many have broken.
bool sherd_coarse_links_follow(sherd_coarse_links *links, sherd_coarse_levels *levels,
                               const sherd_linear_system *system);
void sherd_coarse_links_free(sherd_coarse_links *links);
size_t sherd_coarse_links_bytes(const sherd_coarse_links *links);
