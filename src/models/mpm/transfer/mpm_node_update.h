// Nodes' velocities from mass, momentum and impulse, and the energy of nodes before and after.
#pragma once

#include "base/parallel.h"
#include "models/mpm/kernels/mpm_kernels.h"

// Of all nodes, without coupled bodies [J]. J impulses of stress and gravity; v velocities before
// them, as points brought them; u those of the layers' motion.
typedef struct sherd_mpm_node_energy {
    double kinetic; // K(v) or K(u)
    double offset;  // 1/2 sum J . v or 1/2 sum J . u
} sherd_mpm_node_energy;

typedef struct sherd_mpm_scattered_energy {
    sherd_mpm_node_energy v;
    double offset; // 1/2 sum J . u, u of the step before
} sherd_mpm_scattered_energy;

// Sets the layers' motion, and returns what points have brought. Nodes of next to no mass stand
// still.
sherd_mpm_scattered_energy sherd_mpm_update_nodes(sherd_mpm_grid *grid,
                                                  const sherd_parallel *parallel,
                                                  const sherd_mpm_node_def *def);

// Once points have gone to nodes: what impulses of stress alone do along the velocities that the
// layers' motion has of the step before, with unresolved modes of that where there is some: sum J .
// u of what update_nodes finds. [J]
double sherd_mpm_stress_work(const sherd_mpm_grid *grid, const sherd_parallel *parallel,
                             const sherd_solid *solids, bool has_unresolved);

// The same of the layers of coupled bodies alone.
void sherd_mpm_update_coupled_nodes(sherd_mpm_grid *grid, const sherd_parallel *parallel,
                                    const sherd_mpm_node_def *def);

// Of the layers' motion. Layers whose motion has changed since it was set have `moved`, or `all`
// have.
sherd_mpm_node_energy sherd_mpm_sum_nodes(sherd_mpm_grid *grid, const sherd_parallel *parallel,
                                          const sherd_mpm_node_def *def, bool all);
