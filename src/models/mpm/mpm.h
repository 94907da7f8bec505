// Bodies of material points on one grid each, explicit in time [MPMG]:
//
//   sort points into pages, if they have moved (mpm_grid.h)
//   points to grid: mass, momentum, impulse of stress (kernels/mpm_scatter.c)
//   glue: what is pulled too much breaks (mpm_glue.h)
//   nodes: velocities, gravity (mpm_node_update.h), contact between bodies that no glue joins (mpm_contact.h)
//   grid to points: velocity, place, strain (kernels/mpm_gather.c)
#pragma once

#include "base/parallel.h"
#include "laws/solid/solid_laws.h"
#include "models/mpm/contact/mpm_contact.h"
#include "models/mpm/coupling/mpm_coupling.h"
#include "models/mpm/surface/mpm_penalty_contact.h"

#include <sherd/types.h>

typedef struct sherd_mpm_def {
    double spacing; // of nodes, h [m]
    sherd_mpm_kernel kernel;
    bool affine; // points have gradients of velocity as well; APIC with `flip` 0
    double flip; // share of FLIP, the rest PIC, in a step of usual length, 0 to 1; 0.95 in [MPMG]
    double fluid_flip; // that of fluids
    bool stirs;        // they have as much of that as they are stirred (fluid/mpm_fluid_flip.h)
    sherd_mpm_contact_kind contact;
    sherd_vec3 gravity; // [m/s^2]
    sherd_parallel parallel;
} sherd_mpm_def;

// Cubic kernel, FLIP 0.95, no gravity, all threads; without a spacing.
sherd_mpm_def sherd_mpm_def_default(void);

// What left the energy of points since the start, or entered it [J]; and what the next step needs besides.
typedef struct sherd_mpm_accounts {
    double plastic, contact, friction;
    double work;     // done by walls
    double softened; // done on glue that softens, with what that would give back
    // Symplectic Euler's steps have velocities half a step ago: J being the next impulses but those of contact, steps conserve
    // K + V + 1/2 sum J . v, and a transfer that makes u of nodes v takes K(u) - K(v) + 1/2 sum J . (u' - v), u' being u as points carry it along.
    double transfer; // so far [J]
    double after;    // K of nodes after the last step; of points before the first
    double offset;   // 1/2 sum J . v of the last step, less that at the start
    double start;    // 1/2 sum J . v at the start
    double
        carried; // what nodes' velocities lose by being carried along with points (mpm.c), over dt kick [W/s]
    double given;   // kinetic energy that points got from outside since then; reset by steps
    double fastest; // of waves and points together, in the last step; 0: unknown [m/s]
    double speed;   // the largest component of any point's velocity in it [m/s]
    double
        closing; // the largest speed at which a coupled body and points have met; fades away [m/s]
} sherd_mpm_accounts;

// Of bodies, coupled bodies among them. Waves of a body, not of the stiffest one, tell how long its usual steps are: what its points
// don't see is damped at a rate of its own, whatever else there is.
typedef struct sherd_mpm_rates {
    size_t count;
    double *usual_dt; // [s]
    double *filter;   // length of steps in which alpha is `def.flip` [s]
    double *flip;     // alpha in this step
    double *factor;   // of what is unseen in it: mpm_unresolved_modes.h
    double *memory;   // share of `def.fluid_flip` that a fluid has, as it is stirred
} sherd_mpm_rates;

typedef struct sherd_mpm_driver sherd_mpm_driver; // mpm_drivers.h

typedef struct sherd_mpm {
    sherd_mpm_def def;
    sherd_mpm_points points;
    sherd_mpm_grid grid;
    sherd_mpm_glues glue; // none, or filled by the caller: sherd_mpm_glues_make
    sherd_mpm_penalty_contacts
        penalty; // with a skin, if the caller made one: bodies that have it touch by springs
    const sherd_solid *solids; // by body, where each piece of a body is one; not owned
    double dt;                 // of the last step, 0: there was none [s]
    double time,
        moved; // [s]; bound of how far a point has moved along an axis since pages were made [m]
    bool sorted, moving;    // the latter once layers have the motion of a step
    int32_t rate_age;       // steps since points have noted rates of strain
    bool unresolved;        // nodes have what was unseen in the last step
    int64_t unsolved_nodes; // so far: see sherd_mpm_solve_contacts
    sherd_mpm_rates rates;  // made when points are sorted
    sherd_mpm_accounts accounts;
    sherd_mpm_walls walls;     // their list and reactions are not owned
    sherd_mpm_driver *drivers; // what moves as prescribed in the next step (hold_count); not owned
    int driver_count;
    sherd_mpm_coupling *coupling; // of the next step; NULL: none; not owned
    double coupled_work;          // of contact on them in the last step, as their nodes have it [J]
    double *trend[3];   // of coupled bodies: stepping/grid/grid_trend.h (trend_count) [m/s^2]
    size_t trend_count; // all elements there are; 0: none yet
} sherd_mpm;

// Without points; `points` are filled by the caller: sherd_mpm_points_make, then places, velocities, volumes, bodies.
void sherd_mpm_init(sherd_mpm *m, const sherd_mpm_def *def, const sherd_solid *solids);
void sherd_mpm_release(sherd_mpm *m);

// Room for trends of `count` elements, 0 where there were none. False when memory is short.
bool sherd_mpm_trends_make(sherd_mpm *m, size_t count);

// A step that no wave and no point outruns [s]: 0.6 h / (c + |v|) with the cubic kernel, 0.5 with the quadratic one, c the
// speed of sound of the stiffest point at its present stretch. Infinite without points. Sorts points first, if need be.
// Sorts points if need be, and finds accounts.fastest.
sherd_status sherd_mpm_stable_dt(sherd_mpm *m, double *dt, sherd_error *error);

// The same by the speeds that the last step, or sherd_mpm_stable_dt, found.
double sherd_mpm_longest_dt(const sherd_mpm *m);

// Kinetic energy of points [J].
double sherd_mpm_kinetic(const sherd_mpm *m);

// Whether the next step sorts points.
bool sherd_mpm_must_sort(const sherd_mpm *m);

// Sorts points, if they have moved so far that the next step would.
sherd_status sherd_mpm_sort(sherd_mpm *m, sherd_error *error);

// While coupled bodies move through a step (mpm_coupling.h): springs push them over `dt`, as they are now. Their list gets it.
void sherd_mpm_push_coupled(sherd_mpm *m, double dt);

// SHERD_ERROR_UNSTABLE when a point is no longer finite or turned inside out: the error names it. State is then undefined.
sherd_status sherd_mpm_step(sherd_mpm *m, double dt, sherd_error *error);

typedef struct sherd_mpm_energy {
    double kinetic, stored; // of points [J]; the latter once they are sorted
    double glue, lent;      // of stored, by glue that softens; of that, what nobody paid for [J]
    double pending;         // of plastic, what points will have spent with the next step [J]
    sherd_vec3 momentum;    // [kg m/s]
    sherd_vec3 angular;     // about the origin, with what APIC's C holds [kg m^2/s]
} sherd_mpm_energy;

sherd_mpm_energy sherd_mpm_sum(const sherd_mpm *m);

// Angular momentum that points hold beside their velocities: of gradients, with `affine` [kg m^2/s].
sherd_vec3 sherd_mpm_gradients_spin(const sherd_mpm *m);
