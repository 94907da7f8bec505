// All levels of clusters of one system.
#pragma once

#include "solver/coarse_cycle.h"
#include "solver/coarse_first.h"

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
    sherd_hierarchy_stamp built_for;
    bool built;
} sherd_hierarchy;

// Builds clusters anew where the topology has changed, and brings all numbers to the present state.
sherd_status sherd_hierarchy_prepare(sherd_hierarchy *hierarchy, const sherd_linear_system *system,
                                     sherd_error *error);
void sherd_hierarchy_free(sherd_hierarchy *hierarchy);
size_t sherd_hierarchy_bytes(const sherd_hierarchy *hierarchy);
