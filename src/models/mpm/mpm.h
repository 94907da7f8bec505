// The material point method: all bodies share one grid, with explicit time integration [MPMG]. The
// stages of a step (mpm_step.c) use these folders:
//
// grid       points are sorted into pages, nodes into blocks; a layer is one body's part of a block
// transfer   points to nodes (mass, momentum, impulse of stress) and nodes to points (velocity,
//            position, strain)
// glue       pieces of a body that glue joins move as one at nodes, until the glue breaks
//
// Between steps J is not known yet. The impulses of the step that was made, in its place, put the
// balance out by (w dt)^2 of the kinetic energy of a vibration of frequency w, as long as it lasts:
// 4 % where glue breaks. J . v is therefore taken to go on growing as it did in this step, but
// beside coupled bodies, which take their part of J at other times.
// coupling   bonded elements and rigid bodies take part as further bodies at nodes
// contact    between bodies, and between bodies and walls, at the nodes that they share
// surface    penalty contact of solids, by springs at samples of their surfaces
// fluid      boundary conditions of fluids at markers on walls and bodies; density of fluids
// drivers    nodes with prescribed motion
// damage     pieces that glue joins, and tearing beyond it (mpm_model.h); phase fields
// kernels    inner loops, compiled once for each instruction set
#pragma once

#include "models/mpm/contact/mpm_node_contact.h"
#include "models/mpm/drivers/mpm_drivers.h"
#include "models/mpm/surface/mpm_penalty_contact.h"
#include "models/mpm/transfer/mpm_flip_rates.h"
#include "models/mpm/transfer/mpm_node_update.h"
#include "models/mpm/transfer/mpm_transfer.h"

// Energy balance of material points: the energy that was dissipated or supplied since the start,
// and what the next step needs to balance it.
//
// In symplectic Euler velocities lag by half a step. Let K be kinetic and V stored energy, and J
// the next impulses except those of contact. Then steps conserve K + V + 1/2 sum J . v. A transfer
// that turns nodal velocities v into u dissipates K(u) - K(v) + 1/2 sum J . (u' - v), where u' is u
// advected with the points.

typedef struct sherd_mpm_accounts {
    double plastic, contact, friction;
    double work;     // work done by walls
    double softened; // work done on softening glue, including its recoverable energy
    double damaged;  // released by the damage of phase fields
    double transfer; // dissipated by transfers so far [J]
    double after;    // kinetic energy of nodes after the last step; of points before the first
    double last;     // 1/2 sum J . v of the last step, J its impulses
    double growth;   // what J . v / 2 gained by the last step's J, with the v before
    double offset;   // 1/2 sum J . v after the last step, extrapolated, less that at the start
    double start;    // 1/2 sum J . v at the start
    double carried;  // what nodal velocities lose by advection, over dt kick [W/s]
    // kinetic energy that points got from outside since the last step; steps reset it
    double given;
    // sum of wave speed and point speed, largest of the last step; 0: unknown [m/s]
    double fastest;
    double speed;   // largest component of any point's velocity in the last step [m/s]
    double closing; // largest recent speed of approach of a coupled body and points; decays [m/s]
} sherd_mpm_accounts;

// Called after points were transferred to nodes. Adds the plastic dissipation of points, and
// computes what nodal velocities lose by advection, from the work of stress along the motion of the
// last step. `last_dt` [s] is that step's length; 0: skipped in this step. `has_unresolved`: that
// motion contains unresolved modes.
void sherd_mpm_book_scatter(sherd_mpm_accounts *accounts, const sherd_mpm_transfer *transfer,
                            const sherd_parallel *parallel, double last_dt, bool has_unresolved);

// Adds the dissipation of the transfer from nodes to points and back, when impulses are known.
// `last_dt` is the length of the previous step; 0: there was none [s].
void sherd_mpm_book_transfer(sherd_mpm_accounts *accounts, const sherd_mpm_scattered_energy *now,
                             double last_dt, double kick);

// Adds the dissipation of contact at nodes.
void sherd_mpm_book_node_contact(sherd_mpm_accounts *accounts, const sherd_mpm_losses *losses);

// Adds the dissipation of the surface springs.
void sherd_mpm_book_penalty(sherd_mpm_accounts *accounts, const sherd_mpm_penalty_losses *losses);

// Kinetic energy of points [J].
double sherd_mpm_kinetic_energy(const sherd_mpm_points *points, const sherd_solid *solids,
                                const sherd_parallel *parallel);

typedef struct sherd_mpm_def {
    double spacing; // grid spacing h [m]
    sherd_mpm_kernel kernel;
    bool affine; // points carry velocity gradients too; APIC if `flip` is 0
    // fraction of FLIP in the blend of FLIP and PIC, for steps of the usual length, 0 to 1; 0.95 in
    // [MPMG]
    double flip;
    double fluid_flip; // the same for fluids
    // the FLIP fraction of fluids depends on how turbulent they are (fluid/mpm_fluids.h)
    bool stirs;
    sherd_mpm_contact_kind contact;
    sherd_vec3 gravity; // [m/s^2]
    sherd_parallel parallel;
} sherd_mpm_def;

// Cubic kernel, FLIP 0.95, no gravity, all threads; without a spacing.
sherd_mpm_def sherd_mpm_def_default(void);

typedef struct sherd_mpm {
    sherd_mpm_def def;
    sherd_mpm_points points;
    sherd_mpm_grid grid;
    sherd_mpm_glues glue; // empty, or filled by the caller with sherd_mpm_glues_make
    // Penalty contacts. Bodies for which the caller made a surface touch by springs.
    sherd_mpm_penalty_contacts penalty;
    const sherd_solid *solids; // by body, where each piece counts as a body; not owned
    double dt;                 // of the last step; 0 before the first step [s]
    double time;               // [s]
    double moved; // upper bound of any point's displacement along an axis since pages were made [m]
    bool sorted;
    bool moving;            // layers hold the nodal motion of a step
    int32_t rate_age;       // number of steps since points stored their strain rates
    bool unresolved;        // nodes hold the unresolved modes of the last step
    int64_t unsolved_nodes; // total so far: see sherd_mpm_solve_contacts
    int64_t
        phase_iterations;  // of conjugate gradients for the phase field, total so far in this run
    sherd_mpm_rates rates; // made when points are sorted (FLIP fractions)
    sherd_mpm_accounts accounts;
    sherd_mpm_walls walls;     // their list and reactions are not owned
    sherd_mpm_driver *drivers; // of the next step (driver_count); not owned
    int driver_count;
    sherd_mpm_coupling *coupling; // of the next step; NULL: none; not owned
    // work of contact on coupled bodies in the last step, computed at their nodes [J]
    double coupled_work;
    double *trend[3];   // of coupled bodies: stepping/grid/grid_stepper.c (trend_count) [m/s^2]
    size_t trend_count; // all elements there are; 0: none yet
} sherd_mpm;

// Initialises without points. The caller fills `points`: sherd_mpm_points_make, then positions,
// velocities, volumes and bodies.
void sherd_mpm_init(sherd_mpm *m, const sherd_mpm_def *def, const sherd_solid *solids);
void sherd_mpm_release(sherd_mpm *m);

// Allocates trends of `count` elements; new ones are 0. False when memory is short.
bool sherd_mpm_trends_make(sherd_mpm *m, size_t count);

// The stable time step [s]: 0.6 h / (c + |v|) with the cubic kernel, 0.5 with the quadratic one,
// where c is the sound speed of the stiffest point at its present stretch. Infinite without points.
// Sorts points if necessary, and sets accounts.fastest.
sherd_status sherd_mpm_stable_dt(sherd_mpm *m, double *dt, sherd_error *error);

// The same from the speeds found by the last step or by sherd_mpm_stable_dt. Shorter where a
// coupled body strikes points.
double sherd_mpm_longest_dt(const sherd_mpm *m);

// The same without the reduction for coupled bodies.
double sherd_mpm_steady_dt(const sherd_mpm *m);

// largest displacement of a point in one step [h]
static const double SHERD_MPM_FARTHEST_STEP = 0.25;

// Whether the next step sorts points.
bool sherd_mpm_must_sort(const sherd_mpm *m);

// Sorts points if the next step would, because they have moved too far.
sherd_status sherd_mpm_sort(sherd_mpm *m, sherd_error *error);

// Applies the springs' forces on coupled bodies over `dt`, at their present positions, while they
// move through a step (coupling/mpm_coupling.h). The impulses are added to their list.
void sherd_mpm_push_coupled(sherd_mpm *m, double dt);

// Fails with SHERD_ERROR_UNSTABLE if a point is no longer finite or is inverted (det F <= 0). The
// error names the point; the state is undefined then.
sherd_status sherd_mpm_step(sherd_mpm *m, double dt, sherd_error *error);

// Returns SHERD_ERROR_UNSTABLE with an error that names the point that is not finite or is
// inverted.
sherd_status sherd_mpm_fail_point(const sherd_mpm *m, sherd_error *error);

// The arguments of the kernels for a step of dt [s].
sherd_mpm_transfer sherd_mpm_transfer_of(const sherd_mpm *m, double dt);
