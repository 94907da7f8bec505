// Transfers between points and grid, compiled once for each instruction set.
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
    bool rated;                // points have, or get, rates of strain
} sherd_mpm_transfer;

typedef struct sherd_mpm_node_def {
    double dt;                 // [s]
    const double *flip;        // alpha, share of FLIP in this step, 0 to 1, by body
    sherd_vec3 gravity;        // [m/s^2]
    const sherd_solid *solids; // by body
    bool has_unresolved; // motion has unresolved modes of the last step (mpm_unresolved_modes.h)
} sherd_mpm_node_def;

// Below this mass of a node quotients of weights lose their meaning [kg].
static inline double sherd_mpm_least_mass(const sherd_mpm_grid *grid, const sherd_solid *solid)
{
    return 1e-60 * solid->density * grid->h * grid->h * grid->h;
}

// Velocities of nodes with next to no mass are unbounded. That of the step before counts only where
// the node had at least a share of its present mass.
static inline bool sherd_mpm_has_previous_velocity(double mass_before, double mass)
{
    return mass_before >= 0.1 * mass;
}

// Of one page: sets its bounds, and adds its points' mass, momentum and impulse of stress to the
// layers' loads, after the law has returned their strain to what it allows. Returns the largest
// speed of waves and points together [m/s]; infinite when a point is inside out or not a number.
// Sets page.dissipated.
typedef double sherd_mpm_scatter_function(const sherd_mpm_transfer *t, size_t page);
// Of one page: moves its points and takes their strain forward by the layers' motion. Returns the
// largest component of the velocities by which places changed [m/s].
typedef double sherd_mpm_gather_function(const sherd_mpm_transfer *t, size_t page);
// Of one page: adds its points to the moments of volume of blocks that bodies share.
typedef void sherd_mpm_moments_function(const sherd_mpm_transfer *t, size_t page);
// Of one page: adds its points' volume and stress to the layers that are asked for theirs, as the
// law has it for the strain of that moment, which stays as it is.
typedef void sherd_mpm_stress_function(const sherd_mpm_transfer *t, size_t page);
// Of one layer: sets its motion, and energies before and after it. Nodes of next to no mass stand
// still.
typedef void sherd_mpm_motion_function(sherd_mpm_grid *grid, size_t layer,
                                       const sherd_mpm_node_def *def);
// The latter alone, of motion as it is.
typedef void sherd_mpm_motion_energy_function(sherd_mpm_grid *grid, size_t layer,
                                              const sherd_mpm_node_def *def);
// The nodes of a shared block, x fastest, at which two of its bodies may come nearer to each other
// in a step of dt [s] than the gap between them lets them, by moments and motion. It leaves out
// none that do, and of the others most.
typedef uint64_t sherd_mpm_closing_function(const sherd_mpm_grid *grid,
                                            const sherd_mpm_shared_block *block, double dt);
// What sherd_contact_solve does with each of these problems, with the same bits. Sets the sweeps
// that it returns, or SHERD_MPM_ALONE for problems that it leaves as they are.
enum { SHERD_MPM_ALONE = -1 };
typedef void sherd_mpm_gauss_seidel_function(sherd_contact_problem *const problems[], int count,
                                             int sweeps[]);
// Of one page: adds what its points see of the layers' changes of velocity
// (mpm_unresolved_modes.h).
typedef void sherd_mpm_resolved_function(const sherd_mpm_transfer *t, size_t page);
// Of one page: where cells are too full its points, if they are of a fluid, take less room
// (mpm_fluid_density.h). Sets page.given.
typedef void sherd_mpm_density_function(const sherd_mpm_transfer *t, size_t page);
// Energy stored in one page's points [J], once they have flowed; sets page.dissipated to what that
// takes.
typedef double sherd_mpm_energy_function(const sherd_mpm_transfer *t, size_t page);

// Velocity and its gradient, l[i][k] = dv_i/dx_k, of the common motion of both pieces. Weights are
// those of nodes that have mass, so that what moves alike gives no gradient. False where none has.
typedef bool sherd_mpm_glue_motion_function(const sherd_mpm_grid *grid,
                                            const sherd_mpm_glue_tile *place,
                                            const sherd_mpm_glue_weights *w, double v[3],
                                            double l[3][3]);
// sum w sigma_i / sum w; false where there is nothing.
typedef bool sherd_mpm_glue_stress_function(const sherd_mpm_grid *grid,
                                            const sherd_mpm_glue_tile *place,
                                            const sherd_mpm_glue_weights *w,
                                            double stress[SHERD_MPM_SYMMETRIC]);
// Gives all layers of a block that have mass at a node one velocity there, at these nodes, x
// fastest. Returns what that takes: sherd_mpm_losses.joining [J].
typedef double sherd_mpm_join_function(sherd_mpm_grid *grid, const sherd_mpm_shared_block *block,
                                       uint64_t nodes);

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
