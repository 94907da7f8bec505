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

// Of all nodes [J]. J impulses of stress and gravity; v velocities before them, as points brought them; u those of the
// layers' motion. Not with APIC, where stress is within the momentum.
typedef struct sherd_mpm_node_energy {
    double before, after;               // K(v), K(u)
    double offset_before, offset_after; // 1/2 sum J . v, 1/2 sum J . u
} sherd_mpm_node_energy;
sherd_mpm_node_energy sherd_mpm_sum_nodes(const sherd_mpm_grid *grid,
                                          const sherd_parallel *parallel,
                                          const sherd_mpm_node_def *def);
