#include "models/mpm/transfer/mpm_flip_rates.h"

#include "base/assertion.h"
#include "base/memory.h"
#include "models/mpm/fluid/mpm_fluids.h"
#include "models/mpm/transfer/mpm_unresolved_modes.h"

#include <math.h>

static const double COURANT_CUBIC = 0.6, COURANT_QUADRATIC = 0.5;
// Filter time of sand, as a fraction of sqrt(h / g). Sand flows within cells on a time scale
// unrelated to waves, since its modulus only has to be high enough: it falls by a cell in sqrt(2 h
// / g). A filter of four times sqrt(h / g) gives the correct run-out of columns
// (docs/theory/material-points.md); alpha = 0.95 in 0.2 sqrt(h / g) corresponds to exp(-1) in that
// time.
static const double FLOW = 0.2;

double sherd_mpm_courant(sherd_mpm_kernel kernel)
{
    return kernel == SHERD_MPM_CUBIC ? COURANT_CUBIC : COURANT_QUADRATIC;
}

void sherd_mpm_rates_release(sherd_mpm_rates *r)
{
    sherd_free(r->usual_dt), sherd_free(r->filter), sherd_free(r->flip), sherd_free(r->factor);
    sherd_free(r->stirred);
}

static size_t count_bodies(const sherd_mpm_grid *g)
{
    size_t count = 0;
    for (size_t k = 0; k < g->layer_count; ++k)
        if (g->layers[k].body >= count) count = g->layers[k].body + 1;
    return count;
}

static double filter_of_sand(const sherd_mpm_grid *g, const sherd_solid *solid, sherd_vec3 gravity)
{
    double pull = sqrt(gravity.x * gravity.x + gravity.y * gravity.y + gravity.z * gravity.z);
    if (solid->kind != SHERD_SOLID_SAND || !(pull > 0.0)) return 0.0;
    return FLOW * sqrt(g->h / pull);
}

bool sherd_mpm_rates_make(sherd_mpm_rates *r, const sherd_mpm_grid *grid, const sherd_solid *solids,
                          sherd_vec3 gravity)
{
    size_t count = count_bodies(grid);
    if (count > r->count) {
        sherd_mpm_rates_release(r);
        r->usual_dt = sherd_alloc(count, sizeof *r->usual_dt);
        r->filter = sherd_alloc(count, sizeof *r->filter);
        r->flip = sherd_alloc(count, sizeof *r->flip);
        r->factor = sherd_alloc(count, sizeof *r->factor);
        r->stirred = sherd_alloc(count, sizeof *r->stirred);
        r->count = count;
    }
    if (r->usual_dt == NULL || r->filter == NULL || r->flip == NULL || r->factor == NULL ||
        r->stirred == NULL)
        return false;
    for (size_t k = 0; k < count; ++k) { // of undeformed materials; infinite without stiffness
        double waves = sqrt((solids[k].lambda + 2.0 * solids[k].mu) / solids[k].density);
        r->usual_dt[k] = SHERD_MPM_USUAL_SAFETY * sherd_mpm_courant(grid->kernel) * grid->h / waves;
        r->filter[k] = fmax(r->usual_dt[k], filter_of_sand(grid, &solids[k], gravity));
    }
    return true;
}

void sherd_mpm_rates_set(sherd_mpm_rates *r, const sherd_mpm_flip *flip, double dt,
                         sherd_mpm_grid *grid, const sherd_mpm_points *points,
                         const sherd_solid *solids, const sherd_parallel *parallel)
{
    if (flip->stirs)
        sherd_mpm_find_flow_flip(grid, points, solids, flip->gravity, parallel, r->count,
                                 r->stirred);
    SHERD_ASSERT(dt > 0.0 && isfinite(dt), "steps have a length");
    SHERD_ASSERT(r->count > 0 || grid->layer_count == 0, "rates are made before they are set");
    r->is_short = false;
    for (size_t k = 0; k < r->count; ++k) {
        bool fluid = solids[k].kind == SHERD_SOLID_FLUID;
        double alpha = fluid ? flip->fluid_flip : flip->flip;
        double filter = r->filter[k];
        if (fluid && flip->stirs) alpha *= r->stirred[k];
        if (solids[k].kind == SHERD_SOLID_SAND && flip->stirs) filter *= r->stirred[k];
        r->flip[k] = filter > 0.0 ? pow(alpha, dt / filter) : 0.0;
        r->factor[k] = sherd_mpm_unresolved_factor(dt, r->usual_dt[k]);
        r->is_short = r->is_short || r->factor[k] > 0.0;
        SHERD_ASSERT(r->flip[k] >= 0.0 && r->flip[k] <= 1.0, "alpha is a share");
        SHERD_ASSERT(r->factor[k] >= 0.0 && isfinite(r->factor[k]), "factors are finite");
    }
}
