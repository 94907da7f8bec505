// All cluster levels of one system.
#pragma once

#include "linear/multigrid/cluster_connectivity.h"
#include "linear/multigrid/coarse_cycle.h"
#include "linear/multigrid/coarse_recorded_state.h"

// The system that a hierarchy was built for.
typedef struct sherd_hierarchy_stamp {
    uint64_t topology, held;
    const void *state; // of the model
    int32_t points, bodies;
} sherd_hierarchy_stamp;

// Valid when zero-filled.
typedef struct sherd_hierarchy {
    sherd_coarse_levels levels;
    sherd_coarse_edges edges; // between clusters of the first level
    sherd_coarse_links links; // edges for which clusters were built, and those still intact
    sherd_coarse_origin origin;
    sherd_hierarchy_stamp built_for;
    bool built;
    bool restored;  // not built, but links.base and built_for.held are restored
    int64_t builds; // number of builds
} sherd_hierarchy;

// Builds clusters again if one is disconnected or held freedoms have changed, and updates all
// matrices to the present state. The clusters depend on links.base alone.
sherd_status sherd_hierarchy_prepare(sherd_hierarchy *hierarchy, const sherd_linear_system *system,
                                     sherd_error *error);
void sherd_hierarchy_free(sherd_hierarchy *hierarchy);
size_t sherd_hierarchy_bytes(const sherd_hierarchy *hierarchy);

// For checkpoints: the edges for which clusters were built, and their state. A restored hierarchy
// builds the same clusters.
void sherd_hierarchy_save(const sherd_hierarchy *hierarchy, sherd_byte_buffer *out);
sherd_status sherd_hierarchy_restore(sherd_hierarchy *hierarchy, sherd_record_reader *in,
                                     sherd_error *error);
