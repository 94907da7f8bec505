// The surface near the balls of a random packing, approximated by planes that are updated when a
// ball has moved. For a mesh, one distance query takes as long as a hundred pairs.
#pragma once

#include "packing/random/random_state.h"

// Finds the balls near the surface, and their planes. Call it before the list of pairs is rebuilt:
// it uses the displacement of balls since the last list. Returns false if memory runs short.
bool sherd_rcp_walls_make(sherd_rcp *rcp, double skin);
void sherd_rcp_walls_free(sherd_rcp *rcp);

typedef struct sherd_rcp_push {
    sherd_vec3 force; // stiffness 1: as an overlap [m]
    double overlap;   // the largest, 0 at least [m]
} sherd_rcp_push;

// Force of the surface on ball n, which is near it.
sherd_rcp_push sherd_rcp_wall_push(sherd_rcp *rcp, size_t n);
