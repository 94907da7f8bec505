// The kernels: transfers between points and grid, and other inner loops, compiled once for each
// instruction set.
#pragma once

#include "laws/solid/solid_laws.h"
#include "models/mpm/contact/mpm_contact_solver.h"
#include "models/mpm/grid/mpm_grid.h"
#include "models/mpm/kernels/mpm_glue_reach.h"

#include <sherd/types.h>

typedef struct sherd_mpm_transfer {
    sherd_mpm_points *points;
    sherd_mpm_grid *grid;
    const sherd_solid *solids; // by body
    double dt;                 // [s]
    const double *flip;        // alpha, share of FLIP in this step, 0 to 1, by body
    bool rated;                // points have, or get, strain rates
} sherd_mpm_transfer;

typedef struct sherd_mpm_node_def {
    double dt;                 // [s]
    const double *flip;        // alpha, share of FLIP in this step, 0 to 1, by body
    sherd_vec3 gravity;        // [m/s^2]
    const sherd_solid *solids; // by body
    // the motion contains unresolved modes of the last step (mpm_unresolved_modes.h)
    bool has_unresolved;
} sherd_mpm_node_def;

// Nodal mass below which quotients of sums of weights are meaningless [kg].
static inline double sherd_mpm_least_mass(const sherd_mpm_grid *grid, const sherd_solid *solid)
{
    return 1e-60 * solid->density * grid->h * grid->h * grid->h;
}

// Velocities of nodes with negligible mass are unbounded. The velocity of the previous step is used
// only if the node had at least a tenth of its present mass.
static inline bool sherd_mpm_has_previous_velocity(double mass_before, double mass)
{
    return mass_before >= 0.1 * mass;
}

// Processes one page: sets its bounds and, after the law's return mapping of strain, adds its
// points' mass, momentum and impulse of stress to the layers' loads. Returns the largest sum of
// wave speed and point speed [m/s]; infinite if a point is inverted or not a number. Sets
// page.dissipated.
typedef double sherd_mpm_scatter_function(const sherd_mpm_transfer *t, size_t page);
// Processes one page: advances positions and strains of its points by the layers' motion. Returns
// the largest component of the velocities with which positions changed [m/s].
typedef double sherd_mpm_gather_function(const sherd_mpm_transfer *t, size_t page);
// Processes one page: adds its points to the moments of volume of blocks that bodies share.
typedef void sherd_mpm_moments_function(const sherd_mpm_transfer *t, size_t page);
// Processes one page: adds its points' volume and stress to the layers that need them. The stress
// is that of the law for the present strain, which is not changed.
typedef void sherd_mpm_stress_function(const sherd_mpm_transfer *t, size_t page);
// Processes one layer: sets its motion, and the energies before and after. Nodes of negligible mass
// have velocity 0.
typedef void sherd_mpm_motion_function(sherd_mpm_grid *grid, size_t layer,
                                       const sherd_mpm_node_def *def);
// Computes the energy of a layer's present motion only.
typedef void sherd_mpm_motion_energy_function(sherd_mpm_grid *grid, size_t layer,
                                              const sherd_mpm_node_def *def);
// The nodes of a shared block, x fastest, at which two bodies may approach each other in a step of
// dt [s] by more than their gap, judged from moments and motion. It misses none of them, and
// excludes most of the others.
typedef uint64_t sherd_mpm_closing_function(const sherd_mpm_grid *grid,
                                            const sherd_mpm_shared_block *block, double dt);
// Solves several problems at once, with the same bits as sherd_contact_solve. Sets `sweeps` to its
// results, or to SHERD_MPM_ALONE for problems that it leaves unsolved.
enum { SHERD_MPM_ALONE = -1 };
typedef void sherd_mpm_gauss_seidel_function(sherd_contact_problem *const problems[], int count,
                                             int sweeps[]);
// Processes one page: adds the part of the layers' velocity change that its points resolve
// (mpm_unresolved_modes.h).
typedef void sherd_mpm_resolved_function(const sherd_mpm_transfer *t, size_t page);
// Processes one page of a fluid: reduces the volume of points where cells are overfull
// (mpm_fluid_density.h). Sets page.given.
typedef void sherd_mpm_density_function(const sherd_mpm_transfer *t, size_t page);
// Stored energy of one page's points [J] after the return mapping; sets page.dissipated to the
// plastic dissipation.
typedef double sherd_mpm_energy_function(const sherd_mpm_transfer *t, size_t page);

// Velocity and its gradient, l[i][k] = dv_i/dx_k, of the common motion of both pieces. Weights are
// restricted to nodes that have mass and normalised, so that a uniform motion has no gradient.
// False if no node has mass.
typedef bool sherd_mpm_glue_motion_function(const sherd_mpm_grid *grid,
                                            const sherd_mpm_glue_tile *place,
                                            const sherd_mpm_glue_weights *w, double v[3],
                                            double l[3][3]);
// Sets the interpolated stress, sum w sigma_i / sum w. False if no node has any.
typedef bool sherd_mpm_glue_stress_function(const sherd_mpm_grid *grid,
                                            const sherd_mpm_glue_tile *place,
                                            const sherd_mpm_glue_weights *w,
                                            double stress[SHERD_MPM_SYMMETRIC]);
// Gives all layers of a block that have mass at a node one common velocity there, at the given
// nodes, x fastest. Returns the energy dissipated by this: sherd_mpm_losses.joining [J].
typedef double sherd_mpm_join_function(sherd_mpm_grid *grid, const sherd_mpm_shared_block *block,
                                       uint64_t nodes);

// Of pages whose law is a phase field (damage/mpm_phase_field.h). `drive` sets what drives the points' damage; 1 where it grew
// anywhere, else 0. `local` and `gather` lower c, from each point's own drive or from the grid's field, and return the energy
// that this releases [J]. `scatter` and `spread` add sums of points, and the product with the gradients' part of the matrix, to
// the grid.
typedef double sherd_mpm_phase_drive_function(const sherd_mpm_transfer *t, size_t page);
typedef double sherd_mpm_phase_lower_function(const sherd_mpm_transfer *t, size_t page);
typedef void sherd_mpm_phase_add_function(const sherd_mpm_transfer *t, size_t page);

// The kernels for this machine.
typedef struct sherd_mpm_kernels {
    sherd_mpm_scatter_function *scatter;
    sherd_mpm_gather_function *gather;
    sherd_mpm_energy_function *energy;
    sherd_mpm_moments_function *moments;
    sherd_mpm_stress_function *stress;
    sherd_mpm_motion_function *motion;
    sherd_mpm_motion_energy_function *motion_energy;
    sherd_mpm_closing_function *closing;
    sherd_mpm_gauss_seidel_function *gauss_seidel;
    sherd_mpm_resolved_function *resolved;
    sherd_mpm_density_function *density;
    sherd_mpm_glue_motion_function *glue_motion;
    sherd_mpm_glue_stress_function *glue_stress;
    sherd_mpm_join_function *join_nodes;
    sherd_mpm_phase_drive_function *phase_drive;
    sherd_mpm_phase_lower_function *phase_local, *phase_gather;
    sherd_mpm_phase_add_function *phase_scatter, *phase_spread;
} sherd_mpm_kernels;

sherd_mpm_kernels sherd_mpm_choose_kernels(void);

// ---------------------------------------------------------------- by instruction set

sherd_mpm_scatter_function sherd_mpm_scatter_baseline;
sherd_mpm_scatter_function sherd_mpm_scatter_avx2;   // x86-64 only
sherd_mpm_scatter_function sherd_mpm_scatter_avx512; // x86-64 only
sherd_mpm_gather_function sherd_mpm_gather_baseline;
sherd_mpm_gather_function sherd_mpm_gather_avx2;   // x86-64 only
sherd_mpm_gather_function sherd_mpm_gather_avx512; // x86-64 only
sherd_mpm_energy_function sherd_mpm_energy_baseline;
sherd_mpm_energy_function sherd_mpm_energy_avx2;   // x86-64 only
sherd_mpm_energy_function sherd_mpm_energy_avx512; // x86-64 only
sherd_mpm_moments_function sherd_mpm_moments_baseline;
sherd_mpm_moments_function sherd_mpm_moments_avx2;   // x86-64 only
sherd_mpm_moments_function sherd_mpm_moments_avx512; // x86-64 only
sherd_mpm_stress_function sherd_mpm_stress_baseline;
sherd_mpm_stress_function sherd_mpm_stress_avx2;   // x86-64 only
sherd_mpm_stress_function sherd_mpm_stress_avx512; // x86-64 only
sherd_mpm_closing_function sherd_mpm_closing_baseline;
sherd_mpm_closing_function sherd_mpm_closing_avx2;   // x86-64 only
sherd_mpm_closing_function sherd_mpm_closing_avx512; // x86-64 only
sherd_mpm_gauss_seidel_function sherd_mpm_gauss_seidel_baseline;
sherd_mpm_gauss_seidel_function sherd_mpm_gauss_seidel_avx2;   // x86-64 only
sherd_mpm_gauss_seidel_function sherd_mpm_gauss_seidel_avx512; // x86-64 only
sherd_mpm_motion_function sherd_mpm_motion_baseline;
sherd_mpm_motion_function sherd_mpm_motion_avx2;   // x86-64 only
sherd_mpm_motion_function sherd_mpm_motion_avx512; // x86-64 only
sherd_mpm_motion_energy_function sherd_mpm_motion_energy_baseline;
sherd_mpm_motion_energy_function sherd_mpm_motion_energy_avx2;   // x86-64 only
sherd_mpm_motion_energy_function sherd_mpm_motion_energy_avx512; // x86-64 only
sherd_mpm_resolved_function sherd_mpm_resolved_baseline;
sherd_mpm_resolved_function sherd_mpm_resolved_avx2;   // x86-64 only
sherd_mpm_resolved_function sherd_mpm_resolved_avx512; // x86-64 only
sherd_mpm_density_function sherd_mpm_density_baseline;
sherd_mpm_density_function sherd_mpm_density_avx2;   // x86-64 only
sherd_mpm_density_function sherd_mpm_density_avx512; // x86-64 only
sherd_mpm_glue_motion_function sherd_mpm_glue_motion_baseline;
sherd_mpm_glue_motion_function sherd_mpm_glue_motion_avx2;   // x86-64 only
sherd_mpm_glue_motion_function sherd_mpm_glue_motion_avx512; // x86-64 only
sherd_mpm_glue_stress_function sherd_mpm_glue_stress_baseline;
sherd_mpm_glue_stress_function sherd_mpm_glue_stress_avx2;   // x86-64 only
sherd_mpm_glue_stress_function sherd_mpm_glue_stress_avx512; // x86-64 only
sherd_mpm_join_function sherd_mpm_join_nodes_baseline;
sherd_mpm_join_function sherd_mpm_join_nodes_avx2;   // x86-64 only
sherd_mpm_join_function sherd_mpm_join_nodes_avx512; // x86-64 only
sherd_mpm_phase_drive_function sherd_mpm_phase_drive_baseline;
sherd_mpm_phase_drive_function sherd_mpm_phase_drive_avx2;   // x86-64 only
sherd_mpm_phase_drive_function sherd_mpm_phase_drive_avx512; // x86-64 only
sherd_mpm_phase_lower_function sherd_mpm_phase_local_baseline;
sherd_mpm_phase_lower_function sherd_mpm_phase_local_avx2;   // x86-64 only
sherd_mpm_phase_lower_function sherd_mpm_phase_local_avx512; // x86-64 only
sherd_mpm_phase_lower_function sherd_mpm_phase_gather_baseline;
sherd_mpm_phase_lower_function sherd_mpm_phase_gather_avx2;   // x86-64 only
sherd_mpm_phase_lower_function sherd_mpm_phase_gather_avx512; // x86-64 only
sherd_mpm_phase_add_function sherd_mpm_phase_scatter_baseline;
sherd_mpm_phase_add_function sherd_mpm_phase_scatter_avx2;   // x86-64 only
sherd_mpm_phase_add_function sherd_mpm_phase_scatter_avx512; // x86-64 only
sherd_mpm_phase_add_function sherd_mpm_phase_spread_baseline;
sherd_mpm_phase_add_function sherd_mpm_phase_spread_avx2;   // x86-64 only
sherd_mpm_phase_add_function sherd_mpm_phase_spread_avx512; // x86-64 only
