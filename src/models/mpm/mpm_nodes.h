// Nodes: from mass, momentum and impulse to the velocities that points get back.
#pragma once

#include "base/parallel.h"
#include "laws/solid/solid_laws.h"
#include "models/mpm/mpm_grid.h"

#include <sherd/types.h>

typedef struct sherd_mpm_node_def {
    double dt, flip;           // [s]; share of FLIP
    sherd_vec3 gravity;        // [m/s^2]
    const sherd_solid *solids; // by body
} sherd_mpm_node_def;

// Sets the layers' motion. Nodes of next to no mass stand still.
void sherd_mpm_update_nodes(sherd_mpm_grid *grid, const sherd_parallel *parallel,
                            const sherd_mpm_node_def *def);
