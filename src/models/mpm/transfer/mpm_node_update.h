// Nodal velocities from mass, momentum and impulse, and nodal energies before and after.
#pragma once

#include "base/parallel.h"
#include "models/mpm/kernels/mpm_kernels.h"

// Sums over all nodes, without coupled bodies [J]. J: impulses of stress and gravity. v: velocities
// before these impulses, as transferred from points. u: velocities of the layers' motion.
typedef struct sherd_mpm_node_energy {
    double kinetic; // K(v) or K(u)
    double offset;  // 1/2 sum J . v or 1/2 sum J . u
} sherd_mpm_node_energy;

typedef struct sherd_mpm_scattered_energy {
    sherd_mpm_node_energy v;
    double offset; // 1/2 sum J . u, u of the step before
} sherd_mpm_scattered_energy;

// Sets the layers' motion, and returns the energy transferred from points. Nodes of negligible mass
// have velocity 0.
sherd_mpm_scattered_energy sherd_mpm_update_nodes(sherd_mpm_grid *grid,
                                                  const sherd_parallel *parallel,
                                                  const sherd_mpm_node_def *def);

// Called after points were transferred to nodes. Returns the work of stress impulses alone along
// the nodal velocities of the previous step, including its unresolved modes if there are any: the
// stress part of the sum J . u that update_nodes finds [J].
double sherd_mpm_stress_work(const sherd_mpm_grid *grid, const sherd_parallel *parallel,
                             const sherd_solid *solids, bool has_unresolved);

// Sets the motion of the layers of coupled bodies alone.
void sherd_mpm_update_coupled_nodes(sherd_mpm_grid *grid, const sherd_parallel *parallel,
                                    const sherd_mpm_node_def *def);

// Energy of the layers' motion. It is summed again for layers with `moved` set, or for all of them
// if `all`.
sherd_mpm_node_energy sherd_mpm_sum_nodes(sherd_mpm_grid *grid, const sherd_parallel *parallel,
                                          const sherd_mpm_node_def *def, bool all);
