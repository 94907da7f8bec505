// All levels of clusters of one system.
#pragma once

#include "linear/multigrid/coarse_cycle.h"
#include "linear/multigrid/coarse_links.h"
#include "linear/multigrid/coarse_origin.h"

// The system that a hierarchy was built for.
typedef struct sherd_hierarchy_stamp {
    uint64_t topology, held;
    const void *state; // of the model
    int32_t points, bodies;
} sherd_hierarchy_stamp;

// Start from zeros.
typedef struct sherd_hierarchy {
    sherd_coarse_levels levels;
    sherd_coarse_edges edges; // between clusters of the first level
    sherd_coarse_links links; // edges for which clusters were made, and those still intact
    sherd_coarse_origin origin;
    sherd_hierarchy_stamp built_for;
    bool built;
    bool restored;  // not built, but links.base and built_for.held are those it is to be built for
    int64_t builds; // how often clusters were made
} sherd_hierarchy;

// Makes clusters again where they are disconnected or held freedoms have changed, and brings all numbers to
// the present state. Which clusters there are depends on links.base alone.
sherd_status sherd_hierarchy_prepare(sherd_hierarchy *hierarchy, const sherd_linear_system *system,
                                     sherd_error *error);
void sherd_hierarchy_free(sherd_hierarchy *hierarchy);
size_t sherd_hierarchy_bytes(const sherd_hierarchy *hierarchy);

// For checkpoints: the edges for which clusters were made, and their state. A restored one makes the same again.
void sherd_hierarchy_save(const sherd_hierarchy *hierarchy, sherd_byte_buffer *out);
sherd_status sherd_hierarchy_restore(sherd_hierarchy *hierarchy, sherd_record_reader *in,
                                     sherd_error *error);
