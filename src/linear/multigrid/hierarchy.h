// All levels of clusters of one system.
#pragma once

#include "base/byte_buffer.h"
#include "linear/multigrid/coarse_cycle.h"
#include "linear/multigrid/coarse_links.h"
#include "linear/multigrid/coarse_origin.h"

// What a hierarchy was built for.
typedef struct sherd_hierarchy_stamp {
    uint64_t topology, held;
    const sherd_bonds *bonds;
    int32_t elements, bodies;
} sherd_hierarchy_stamp;

// Start from zeros.
typedef struct sherd_hierarchy {
    sherd_coarse_levels levels;
    sherd_coarse_bonds bonds; // between clusters of the first level
    sherd_coarse_links links; // which bonds clusters were made for, and what is left of them
    sherd_coarse_origin origin;
    sherd_hierarchy_stamp built_for;
    bool built;
    bool restored;  // not built, but what it was built for is known: links.base, built_for.held
    int64_t builds; // how often clusters were made
} sherd_hierarchy;

// Makes clusters anew where they have come apart or what is held has changed, and brings all numbers to
// the present state. Which clusters there are depends on links.base alone.
sherd_status sherd_hierarchy_prepare(sherd_hierarchy *hierarchy, const sherd_linear_system *system,
                                     sherd_error *error);
void sherd_hierarchy_free(sherd_hierarchy *hierarchy);
size_t sherd_hierarchy_bytes(const sherd_hierarchy *hierarchy);

// For checkpoints: what clusters were made for, and their numbers. One that is restored makes the same again.
void sherd_hierarchy_save(const sherd_hierarchy *hierarchy, sherd_byte_buffer *out);
sherd_status sherd_hierarchy_restore(sherd_hierarchy *hierarchy, sherd_byte_reader *in,
                                     sherd_error *error);
