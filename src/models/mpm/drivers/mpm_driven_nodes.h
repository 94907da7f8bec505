// Nodes that drivers move in a step. A node counts as driven if more than 2 % of its mass comes
// from driven points; so does everything that moves as one with them there: a layer, or pieces
// joined by glue. Walls do not act on such a node along driven axes; the nodes around it get the
// contact impulses.
#pragma once

#include "models/mpm/glue/mpm_node_groups.h"

// What drivers prescribe at a node along each axis: sums over the driven points of all drivers, or
// over everything that moves as one with them.
typedef struct sherd_mpm_driven_node {
    double mass[3];             // [kg]
    double momentum[3];         // prescribed [kg m/s]
    double impulse[3], work[3]; // given to everything that moves as one, along each axis [N s], [J]
    bool done;
} sherd_mpm_driven_node;

typedef struct sherd_mpm_driven_layer {
    sherd_mpm_driven_node node[SHERD_MPM_NODES];
} sherd_mpm_driven_layer;

typedef struct sherd_mpm_driven_nodes {
    sherd_mpm_driven_layer *layers; // (layer_count)
    uint8_t *is_reached;            // by layer: driven points reach it
} sherd_mpm_driven_nodes;

// True if a node of this mass counts as driven, `driven` being the mass of its driven points.
bool sherd_mpm_is_driven(double driven, double mass);

// True if group a is driven along most of a unit normal.
bool sherd_mpm_is_driven_along(const sherd_mpm_driven_nodes *driven, const sherd_mpm_grid *grid,
                               const sherd_mpm_node_groups *node_groups, int node, int a,
                               const double normal[3]);
