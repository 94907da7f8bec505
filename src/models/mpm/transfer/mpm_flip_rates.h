// The FLIP fraction of each body in a step, and the length of its usual steps. PIC damps the modes
// that the grid does not see. The damping rate belongs to the body: it follows from the wave speed
// of the body's own material, not of the stiffest one in the scene, and does not depend on the
// length of steps. Coupled bodies have rates too, which are not used.
#pragma once

#include "base/parallel.h"
#include "laws/solid/solid_laws.h"
#include "models/mpm/grid/mpm_grid.h"

#include <sherd/types.h>

// Courant number of time steps, in h / (c + |v|). Waves in free bodies are stable up to 0.83 h / c
// with the cubic kernel and 0.65 h / c with the quadratic one.
double sherd_mpm_courant(sherd_mpm_kernel kernel);

// safety factor of usual steps: the default of `solver.safety`
static const double SHERD_MPM_USUAL_SAFETY = 0.85;

typedef struct sherd_mpm_rates {
    size_t count;     // bodies
    double *usual_dt; // [s]
    double *filter;   // length of steps for which alpha is the definition's `flip` [s]
    double *flip;     // FLIP fraction alpha in this step
    double *factor;   // factor on unresolved modes in this step: mpm_unresolved_modes.h
    bool is_short;    // the step is short for some body, so that unresolved modes are added
    double *stirred;  // factor on a fluid's FLIP fraction, on sand's filter: fluid/mpm_fluids.h
} sherd_mpm_rates;

void sherd_mpm_rates_release(sherd_mpm_rates *rates);

// Finds the usual step lengths and filters of a grid's bodies, when points are sorted. False when
// memory is short.
bool sherd_mpm_rates_make(sherd_mpm_rates *rates, const sherd_mpm_grid *grid,
                          const sherd_solid *solids, sherd_vec3 gravity);

// Parameters of the FLIP fractions in a step.
typedef struct sherd_mpm_flip {
    double flip, fluid_flip; // valid for steps as long as a body's filter
    bool stirs;         // fluids and sand have it as far as they are stirred (fluid/mpm_fluids.h)
    sherd_vec3 gravity; // [m/s^2]
} sherd_mpm_flip;

// Sets FLIP fractions and factors for a step of dt [s] of sorted points.
void sherd_mpm_rates_set(sherd_mpm_rates *rates, const sherd_mpm_flip *flip, double dt,
                         sherd_mpm_grid *grid, const sherd_mpm_points *points,
                         const sherd_solid *solids, const sherd_parallel *parallel);
