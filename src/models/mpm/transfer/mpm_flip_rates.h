// How much of FLIP each body has in a step, and how long its usual steps are. PIC's share damps
// what the grid does not see at a rate that belongs to a body: by the waves of its own material,
// not by those of the stiffest body of the scene, and whatever the length of steps. Coupled bodies
// have rates, too, which nothing uses.
#pragma once

#include "base/parallel.h"
#include "laws/solid/solid_laws.h"
#include "models/mpm/grid/mpm_grid.h"

#include <sherd/types.h>

// Of h / (c + |v|), for steps: waves of free bodies stay stable to 0.83 of h / c with the cubic
// kernel, to 0.65 with the quadratic one.
double sherd_mpm_courant(sherd_mpm_kernel kernel);

static const double SHERD_MPM_USUAL_SAFETY = 0.85; // of usual steps: the default of `solver.safety`

typedef struct sherd_mpm_rates {
    size_t count;     // bodies
    double *usual_dt; // [s]
    double *filter;   // length of steps in which alpha is the definition's `flip` [s]
    double *flip;     // alpha in this step
    double *factor;   // of unresolved modes in it: mpm_unresolved_modes.h
    bool is_short;    // the step is, for some body: it has unresolved modes
    double *fluid;    // part of its share of FLIP that a body has in it: fluid/mpm_fluids.h
} sherd_mpm_rates;

void sherd_mpm_rates_release(sherd_mpm_rates *rates);

// Finds usual steps and filters of the bodies of a grid, once points are sorted. False: memory is
// short.
bool sherd_mpm_rates_make(sherd_mpm_rates *rates, const sherd_mpm_grid *grid,
                          const sherd_solid *solids, sherd_vec3 gravity);

// What FLIP's shares in a step depend on.
typedef struct sherd_mpm_flip {
    double flip, fluid_flip; // hold for steps as long as a body's filter
    bool stirs;         // fluids have as much of theirs as they are stirred (fluid/mpm_fluids.h)
    sherd_vec3 gravity; // [m/s^2]
} sherd_mpm_flip;

// Sets alpha and factors for a step of dt [s] of sorted points.
void sherd_mpm_rates_set(sherd_mpm_rates *rates, const sherd_mpm_flip *flip, double dt,
                         sherd_mpm_grid *grid, const sherd_mpm_points *points,
                         const sherd_solid *solids, const sherd_parallel *parallel);
