// Points to nodes and back [MPMG] section 3: loops over the pages of the grid by kernels for this
// machine. A page is worked on by one thread, and pages that share nodes one after the other
// (grid/mpm_traversal.h), so that sums do not depend on how many threads there are.
#pragma once

#include "models/mpm/coupling/mpm_coupling.h"
#include "models/mpm/kernels/mpm_kernels.h"

// Sets the loads of nodes: mass, momentum and the impulse of stress, after laws returned strains to
// what they allow. Loads of coupled bodies become 0. Returns the largest speed of waves and points
// together, which is infinite where a point is inside out or not a number [m/s].
double sherd_mpm_scatter_points(const sherd_mpm_transfer *transfer, const sherd_parallel *parallel);

// Sets the moments of volume in blocks that several bodies share; `coupling` is NULL without
// coupled bodies.
void sherd_mpm_add_moments(const sherd_mpm_transfer *transfer, const sherd_mpm_coupling *coupling,
                           const sherd_parallel *parallel);

// Sets volume and stress at the nodes of layers that ask for them: those of pieces near glue.
void sherd_mpm_scatter_stress(const sherd_mpm_transfer *transfer, const sherd_parallel *parallel);

// Sets what points would bring back of the change of velocity that nodes have had
// (mpm_unresolved_modes.h), for bodies of which `factor` is above 0.
void sherd_mpm_find_resolved(const sherd_mpm_transfer *transfer, const double *factor,
                             const sherd_parallel *parallel);

// Moves points, and takes their strains forward, by the motion of nodes. Returns the largest
// component of the velocities by which they moved [m/s].
double sherd_mpm_gather_points(const sherd_mpm_transfer *transfer, const sherd_parallel *parallel);

// Energy that points store, once they are sorted [J].
double sherd_mpm_stored_energy(const sherd_mpm_transfer *transfer, const sherd_parallel *parallel);

// What plastic flow took of points as they last went to nodes [J].
double sherd_mpm_plastic_work(const sherd_mpm_grid *grid);
// Work of the impulses of stress along the last step's motion as points carried it along [J].
double sherd_mpm_advected_stress_work(const sherd_mpm_grid *grid);
