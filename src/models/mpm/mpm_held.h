// Nodes that drivers hold in a step: those where the points that they move have more than 2 % of the mass. What moves there
// as one, a layer or pieces that glue joins, goes as the driver says. A wall can't move it, so that contact leaves it alone;
// the nodes around are pressed.
#pragma once

#include "models/mpm/mpm_meeting.h"

// Of points that are held along an axis, by whichever drivers, or of all that move as one with them at the node.
typedef struct sherd_mpm_held_node {
    double mass[3];             // [kg]
    double momentum[3];         // prescribed [kg m/s]
    double impulse[3], work[3]; // given to what moves as one, along each axis [N s], [J]
    bool done;
} sherd_mpm_held_node;

typedef struct sherd_mpm_held_layer {
    sherd_mpm_held_node node[SHERD_MPM_NODES];
} sherd_mpm_held_layer;

typedef struct sherd_mpm_held {
    sherd_mpm_held_layer *layers; // (layer_count)
    uint8_t *touched;             // by layer: held points reach it
} sherd_mpm_held;

// Whether as much as this of a mass holds it.
bool sherd_mpm_holds(double held, double mass);

// Whether group a is held along most of a unit normal.
bool sherd_mpm_is_held_along(const sherd_mpm_held *held, const sherd_mpm_grid *grid,
                             const sherd_mpm_meeting *meeting, int node, int a,
                             const double normal[3]);
