// Nodes that drivers hold in a step: those where the points that they move have more than 2 % of the mass. What moves there
// as one, a layer or pieces that glue joins, goes as the driver says. A wall can't move it, so that contact leaves it alone;
// the nodes around are pressed.
#pragma once

#include "models/mpm/contact/mpm_contact_groups.h"

// Of points that are held along an axis, by whichever drivers, or of all that move as one with them at the node.
typedef struct sherd_mpm_driven_node {
    double mass[3];             // [kg]
    double momentum[3];         // prescribed [kg m/s]
    double impulse[3], work[3]; // given to what moves as one, along each axis [N s], [J]
    bool done;
} sherd_mpm_driven_node;

typedef struct sherd_mpm_driven_layer {
    sherd_mpm_driven_node node[SHERD_MPM_NODES];
} sherd_mpm_driven_layer;

typedef struct sherd_mpm_driven_nodes {
    sherd_mpm_driven_layer *layers; // (layer_count)
    uint8_t *touched;               // by layer: held points reach it
} sherd_mpm_driven_nodes;

// Whether as much as this of a mass holds it.
bool sherd_mpm_is_driven(double driven, double mass);

// Whether group a is held along most of a unit normal.
bool sherd_mpm_is_driven_along(const sherd_mpm_driven_nodes *driven, const sherd_mpm_grid *grid,
                               const sherd_mpm_contact_groups *node_groups, int node, int a,
                               const double normal[3]);
