// Transfers between points and nodes [MPMG, section 3]: loops over the grid's pages that call the
// kernels for this machine. One thread handles a page, and pages that share nodes are handled one
// after another (grid/mpm_traversal.h), so that sums do not depend on the number of threads.
#pragma once

#include "models/mpm/coupling/mpm_coupling.h"
#include "models/mpm/kernels/mpm_kernels.h"

// Sets nodal loads (mass, momentum and impulse of stress) after the law's return mapping of
// strains. Sets loads of coupled bodies to 0. Returns the largest sum of wave speed and point speed
// [m/s], which is infinite if a point is inverted or not a number.
double sherd_mpm_scatter_points(const sherd_mpm_transfer *transfer, const sherd_parallel *parallel);

// Sets the moments of volume in blocks that several bodies share. `coupling` is NULL without
// coupled bodies.
void sherd_mpm_add_moments(const sherd_mpm_transfer *transfer, const sherd_mpm_coupling *coupling,
                           const sherd_parallel *parallel);

// Sets volume and stress at the nodes of layers that need them: those of pieces near glue.
void sherd_mpm_scatter_stress(const sherd_mpm_transfer *transfer, const sherd_parallel *parallel);

// Sets the part of the nodes' velocity change that points would transfer back
// (mpm_unresolved_modes.h), for bodies whose `factor` is above 0.
void sherd_mpm_find_resolved(const sherd_mpm_transfer *transfer, const double *factor,
                             const sherd_parallel *parallel);

// Advances positions and strains of points by the nodal motion. Returns the largest component of
// the velocities with which they moved [m/s].
double sherd_mpm_gather_points(const sherd_mpm_transfer *transfer, const sherd_parallel *parallel);

// Stored energy of points; they must be sorted [J].
double sherd_mpm_stored_energy(const sherd_mpm_transfer *transfer, const sherd_parallel *parallel);

// Plastic dissipation of points in the last transfer to nodes [J].
double sherd_mpm_plastic_work(const sherd_mpm_grid *grid);
// Work of the stress impulses along the last step's motion, advected with the points [J].
double sherd_mpm_advected_stress_work(const sherd_mpm_grid *grid);
