// Bodies of material points on one grid each, explicit in time [MPMG]:
//
//   sort points into pages, if they have moved (mpm_grid.h)
//   points to grid: mass, momentum, impulse of stress (kernels/mpm_scatter.c)
//   glue: what is pulled too much breaks (mpm_glue.h)
//   nodes: velocities, gravity (mpm_nodes.h), contact between bodies that no glue joins (mpm_contact.h)
//   grid to points: velocity, place, strain (kernels/mpm_gather.c)
#pragma once

#include "base/parallel.h"
#include "laws/solid/solid_laws.h"
#include "models/mpm/mpm_contact.h"

#include <sherd/types.h>

typedef struct sherd_mpm_def {
    double spacing; // of nodes, h [m]
    sherd_mpm_kernel kernel;
    bool affine; // APIC; PIC and FLIP otherwise
    double flip; // share of FLIP in them, 0 to 1; 0.95 in [MPMG]
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
    sherd_mpm_glues glue;      // none, or filled by the caller: sherd_mpm_glues_make
    const sherd_solid *solids; // by body, where each piece of a body is one; not owned
    double time,
        moved; // [s]; bound of how far a point has moved along an axis since pages were made [m]
    bool sorted;
    int64_t unsolved_nodes; // so far: see sherd_mpm_solve_contacts
} sherd_mpm;

// Without points; `points` are filled by the caller: sherd_mpm_points_make, then places, velocities, volumes, bodies.
void sherd_mpm_init(sherd_mpm *m, const sherd_mpm_def *def, const sherd_solid *solids);
void sherd_mpm_release(sherd_mpm *m);

// A step that no wave and no point outruns [s]: 0.6 h / (c + |v|) with the cubic kernel, 0.5 with the quadratic one, c the
// speed of sound of the stiffest point at its present stretch. Infinite without points. Sorts points first, if need be.
sherd_status sherd_mpm_stable_dt(sherd_mpm *m, double *dt, sherd_error *error);

// SHERD_ERROR_INPUT for glue by force with APIC. SHERD_ERROR_UNSTABLE when a point is no longer finite or turned inside out: the error names it. State is then undefined.
sherd_status sherd_mpm_step(sherd_mpm *m, double dt, sherd_error *error);

typedef struct sherd_mpm_energy {
    double kinetic, stored; // of points [J]; the latter once they are sorted
    sherd_vec3 momentum;    // [kg m/s]
    sherd_vec3 angular;     // about the origin, with what APIC's C holds [kg m^2/s]
} sherd_mpm_energy;

sherd_mpm_energy sherd_mpm_sum(const sherd_mpm *m);
