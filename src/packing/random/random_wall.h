// The surface for the balls of a random packing: planes, updated when a ball has moved.
// A distance takes as long as a hundred pairs where the shape is a mesh.
#pragma once

#include "packing/random/random_state.h"

// Finds which balls are near the surface, and their planes. To be called before the list of pairs
// is made anew: it goes by how far balls have moved since the last one. False when memory is short.
bool sherd_rcp_walls_make(sherd_rcp *rcp, double skin);
void sherd_rcp_walls_free(sherd_rcp *rcp);

typedef struct sherd_rcp_push {
    sherd_vec3 force; // stiffness 1: as an overlap [m]
    double overlap;   // the largest, 0 at least [m]
} sherd_rcp_push;

// Force of the surface on ball n, which is near it.
sherd_rcp_push sherd_rcp_wall_push(sherd_rcp *rcp, size_t n);
