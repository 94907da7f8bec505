// Bodies of material points on one grid each, explicit in time [MPMG]. A step (mpm_step.c) goes
// through the rooms:
//
//   grid       points lie in pages, nodes in blocks; a body in a block is a layer
//   transfer   points to nodes: mass, momentum, impulse of stress; and back: velocity, place, strain
//   glue       pieces of a body move as one at nodes until glue between them breaks
//   coupling   elements and free bodies are further bodies at nodes
//   contact    of bodies with each other and with walls, at the nodes that they share
//   surface    of solids by springs, at samples of their surfaces
//   fluid      at markers on walls and bodies; how dense fluids are
//   drivers    nodes that move as prescribed
//   damage     pieces that glue joins, and what tears beyond it (mpm_model.h)
//   kernels    loops that are compiled once for each instruction set
#pragma once

#include "models/mpm/contact/mpm_node_contact.h"
#include "models/mpm/drivers/mpm_drivers.h"
#include "models/mpm/mpm_accounts.h"
#include "models/mpm/transfer/mpm_flip_rates.h"

typedef struct sherd_mpm_def {
    double spacing; // of nodes, h [m]
    sherd_mpm_kernel kernel;
    bool affine; // points have gradients of velocity as well; APIC with `flip` 0
    double flip; // share of FLIP, the rest PIC, in a step of usual length, 0 to 1; 0.95 in [MPMG]
    double fluid_flip; // that of fluids
    bool stirs;        // fluids have as much of that as they are stirred (fluid/mpm_fluids.h)
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
    sherd_mpm_glues glue; // none, or filled by the caller: sherd_mpm_glues_make
    // With a surface, if the caller made one: bodies that have it touch by springs.
    sherd_mpm_penalty_contacts penalty;
    const sherd_solid *solids; // by body, where each piece of a body is one; not owned
    double dt;                 // of the last step, 0: there was none [s]
    double time;               // [s]
    double moved; // bound of how far a point has moved along an axis since pages were made [m]
    bool sorted;
    bool moving;            // layers have the motion of a step
    int32_t rate_age;       // steps since points have noted rates of strain
    bool unresolved;        // nodes have the unresolved modes of the last step
    int64_t unsolved_nodes; // so far: see sherd_mpm_solve_contacts
    sherd_mpm_rates rates;  // made when points are sorted
    sherd_mpm_accounts accounts;
    sherd_mpm_walls walls;     // their list and reactions are not owned
    sherd_mpm_driver *drivers; // of the next step (driver_count); not owned
    int driver_count;
    sherd_mpm_coupling *coupling; // of the next step; NULL: none; not owned
    double coupled_work;          // of contact on them in the last step, as their nodes have it [J]
    double *
        trend[3]; // of coupled bodies: stepping/grid/grid_mean_acceleration.h (trend_count) [m/s^2]
    size_t trend_count; // all elements there are; 0: none yet
} sherd_mpm;

// Without points; `points` are filled by the caller: sherd_mpm_points_make, then places,
// velocities, volumes, bodies.
void sherd_mpm_init(sherd_mpm *m, const sherd_mpm_def *def, const sherd_solid *solids);
void sherd_mpm_release(sherd_mpm *m);

// Room for trends of `count` elements, 0 where there were none. False when memory is short.
bool sherd_mpm_trends_make(sherd_mpm *m, size_t count);

// A step that no wave and no point outruns [s]: 0.6 h / (c + |v|) with the cubic kernel, 0.5 with
// the quadratic one, c the speed of sound of the stiffest point at its present stretch. Infinite
// without points. Sorts points if need be, and finds accounts.fastest.
sherd_status sherd_mpm_stable_dt(sherd_mpm *m, double *dt, sherd_error *error);

// The same by the speeds that the last step, or sherd_mpm_stable_dt, found; shorter where a coupled
// body strikes points.
double sherd_mpm_longest_dt(const sherd_mpm *m);

// By waves and points alone.
double sherd_mpm_steady_dt(const sherd_mpm *m);

static const double SHERD_MPM_FARTHEST_STEP = 0.25; // of h: a point's way in one step

// Whether the next step sorts points.
bool sherd_mpm_must_sort(const sherd_mpm *m);

// Sorts points, if they have moved so far that the next step would.
sherd_status sherd_mpm_sort(sherd_mpm *m, sherd_error *error);

// While coupled bodies move through a step (coupling/mpm_coupling.h): springs push them over `dt`,
// as they are now. Their list gets it.
void sherd_mpm_push_coupled(sherd_mpm *m, double dt);

// SHERD_ERROR_UNSTABLE when a point is no longer finite or turned inside out: the error names it.
// State is then undefined.
sherd_status sherd_mpm_step(sherd_mpm *m, double dt, sherd_error *error);

// Fails with SHERD_ERROR_UNSTABLE, and names the point that is not finite or inside out.
sherd_status sherd_mpm_fail_point(const sherd_mpm *m, sherd_error *error);

// What the kernels of a step of dt have to know [s].
sherd_mpm_transfer sherd_mpm_transfer_of(const sherd_mpm *m, double dt);
