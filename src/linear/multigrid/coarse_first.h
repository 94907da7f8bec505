// The first level of clusters: of elements and free bodies.
#pragma once

#include "linear/linear_system.h"
#include "linear/multigrid/coarse_level.h"

// Which bonds join which clusters: of the topology.
typedef struct sherd_coarse_bonds {
    int64_t *
        start; // by entry of the level's rows; only those with a later neighbour have bonds (entries + 1)
    uint32_t *bond;  // bonds of entries, then bonds to what is held
    int64_t *ground; // by row, in `bond` (count + 1)
    int64_t *mate;   // by entry: the one of the neighbour that leads back (entries)
    int64_t count;   // of `bond`
    bool any_held;
} sherd_coarse_bonds;

// Intact bonds between elements that are free at least in part. `bond` is parallel to the graph's
// neighbours.
typedef struct sherd_bond_graph {
    sherd_graph graph;
    int64_t *start;     // owned
    int32_t *neighbour; // owned
    uint32_t *bond;     // owned
    uint8_t *held;      // wholly (nodes); owned
    bool any_held;
} sherd_bond_graph;

sherd_status sherd_bond_graph_build(sherd_bond_graph *graph, const sherd_linear_system *system,
                                    sherd_error *error);
void sherd_bond_graph_free(sherd_bond_graph *graph);

sherd_status sherd_coarse_bonds_build(sherd_coarse_bonds *bonds, const sherd_coarse_level *level,
                                      const sherd_bond_graph *graph,
                                      const sherd_linear_system *system, sherd_error *error);
void sherd_coarse_bonds_free(sherd_coarse_bonds *bonds);
size_t sherd_coarse_bonds_bytes(const sherd_coarse_bonds *bonds, const sherd_coarse_level *level);

// Centres, offsets, inertia, springs of bonds at the system's present state.
sherd_status sherd_coarse_first_refresh(sherd_coarse_level *level, const sherd_coarse_bonds *bonds,
                                        const sherd_linear_system *system, sherd_error *error);
