// Random close packing, in this order:
//
//      seed       one ball in each cube of a rotated grid                  random_seed.c
//      quench     soft balls pushed apart at a high pressure: disorder     random_relax.c
//      decompress pressure falls to almost zero: rigid, just touching      random_relax.c
//      thin       balls removed where there are too many                   random_thin.c
//      release    radii reduced until nothing overlaps, by about 1e-3      random_finish.c
//      bond       near balls                                               random_bonds.c
//      join       parts connected through narrow regions                   random_join.c
//
// The number of balls that jam at the requested radius is estimated from their sizes and from the
// fraction of the shape that is near its surface; if it was far too small, as in sheets, the
// packing is repeated with more. The remaining difference, at most 2 %, changes the radii.
#include "packing/random/random.h"

#include "base/error.h"
#include "base/memory.h"
#include "base/random.h"
#include "math/vec3.h"
#include "packing/random/random_finish.h"
#include "packing/random/random_jam.h"
#include "packing/random/random_seed.h"
#include "packing/random/random_sizes.h"
#include "packing/shape_analysis.h"

#include <stdio.h>
#include <string.h>

enum { STREAM_TRIM = 120 }; // of random numbers

enum { ATTEMPTS = 6 };

// Larger elements can't be moved into the shape [depth of its deepest point].
static const double FITS = 1.0 + 1e-6;

typedef struct attempt {
    const sherd_packing_def *def;
    sherd_rcp_sizes sizes;
    double fraction; // estimated, for the whole shape
} attempt;

static sherd_status refuse_radius(const sherd_packing_def *def, double depth, sherd_error *error)
{
    sherd_status status =
        sherd_fail(error, SHERD_ERROR_INPUT, "packing.radius", NULL,
                   "no element of radius %g m lies inside the shape", def->radius * def->size_high);
    if (error != NULL)
        snprintf(error->hint, sizeof error->hint, "the largest radius that fits is %.4g m%s", depth,
                 def->size_high != 1.0 ? ": that of the largest elements" : "");
    return status;
}

static sherd_status refuse_count(const sherd_packing_def *def, double count, sherd_error *error)
{
    return sherd_fail(error, SHERD_ERROR_INPUT, "packing.radius",
                      "use a larger radius, or raise max_elements; a mesh may lack its scale",
                      "about %.3g elements of radius %g m would be needed, the limit is %lld",
                      count, def->radius, (long long)def->max_elements);
}

// The analysis finds the deepest point to a few per cent, but an element may need all of the depth.
// Pattern search with decreasing steps.
static void deepen(const sherd_shape *shape, sherd_shape_analysis *analysis)
{
    double least = 1e-6 * analysis->depth_max;
    for (double step = 0.2 * analysis->depth_max; step > least;) {
        bool found = false;
        for (int k = 0; k < 27; ++k) {
            sherd_vec3 way = vec3(k % 3 - 1, k / 3 % 3 - 1, k / 9 - 1);
            sherd_vec3 p = vec3_add_scaled(analysis->deepest, step, way);
            double depth = -sherd_shape_distance(shape, p);
            if (!(depth > analysis->depth_max)) continue;
            analysis->depth_max = depth;
            analysis->deepest = p;
            found = true;
        }
        if (!found) step *= 0.5;
    }
}

static sherd_status check_fit(const attempt *a, const sherd_shape_analysis *analysis,
                              sherd_error *error)
{
    double count = analysis->volume * a->fraction / a->sizes.mean_volume;
    if (a->def->radius * a->def->size_high > FITS * analysis->depth_max)
        return refuse_radius(a->def, analysis->depth_max, error);
    if (count > (double)a->def->max_elements || count > 0.9 * INT32_MAX)
        return refuse_count(a->def, count, error);
    return SHERD_OK;
}

// ---------------------------------------------------------------- packing

// If the shape has room for hardly one element, it is put at the deepest point.
static sherd_status add_one(sherd_rcp *rcp, const attempt *a, const sherd_shape_analysis *analysis,
                            sherd_error *error)
{
    sherd_vec3 p = analysis->deepest;
    sherd_free(rcp->ball);
    rcp->ball = sherd_alloc(1, sizeof *rcp->ball);
    if (rcp->ball == NULL) return sherd_fail_memory(error, "packing: elements");
    rcp->ball[0] = (sherd_rcp_ball){p.x, p.y, p.z, fmin(a->sizes.mean, analysis->depth_max)};
    rcp->count = 1;
    return SHERD_OK;
}

// The number of sites differs from the estimate by a few in thousands, which matters if there are
// few.
static void trim(sherd_rcp *rcp, const attempt *a, const sherd_shape_analysis *analysis)
{
    double wanted = floor(analysis->volume * a->fraction / a->sizes.mean_volume + 0.5);
    if (wanted > 1000.0) return;
    for (uint64_t k = 0; (double)rcp->count > fmax(wanted, 1.0); ++k) {
        size_t n = (size_t)(sherd_random_bits(a->def->seed, STREAM_TRIM, k) % rcp->count--);
        memmove(rcp->ball + n, rcp->ball + n + 1, (rcp->count - n) * sizeof *rcp->ball);
    }
}

// Reduction of the packing fraction if a fraction `shallow` of the shape is less than a radius from
// the surface. Measured by packing boxes, plates, rings of 2 to 110 radii; a single layer is dense.
static double crowding(double shallow)
{
    return shallow > 0.9 ? 0.85 : 1.0 - 0.16 * shallow - 0.2 * shallow * shallow;
}

// Seeds for the expected packing fraction, which is first corrected for the surface.
static sherd_status seed(sherd_rcp *rcp, attempt *a, const sherd_shape_analysis *analysis,
                         int number, sherd_error *error)
{
    double shallow, volume = a->sizes.mean_volume, r = a->sizes.mean;
    sherd_status status = SHERD_OK;
    sherd_rcp_forget(rcp);
    if (number == 0) {
        status = sherd_rcp_seed(rcp, a->def, volume / a->fraction, r, &shallow, error);
        a->fraction *= crowding(shallow);
    }
    if (status == SHERD_OK)
        status = sherd_rcp_seed(rcp, a->def, volume / a->fraction, r, &shallow, error);
    if (status == SHERD_OK) trim(rcp, a, analysis);
    if (status == SHERD_OK && rcp->count == 0) status = add_one(rcp, a, analysis, error);
    rcp->edges = false;
    rcp->largest = rcp->mean_radius = 0.0;
    for (size_t n = 0; n < rcp->count; ++n) {
        rcp->largest = fmax(rcp->largest, rcp->ball[n].r);
        rcp->mean_radius += rcp->ball[n].r / (double)rcp->count;
    }
    rcp->scale_most = analysis->depth_max / rcp->largest;
    rcp->scale = fmin(1.0, rcp->scale_most);
    return status;
}

static sherd_status try_once(sherd_rcp *rcp, attempt *a, const sherd_shape_analysis *analysis,
                             int number, sherd_rcp_outcome *outcome, sherd_error *error)
{
    sherd_status status = seed(rcp, a, analysis, number, error);
    if (status != SHERD_OK) return status;
    *outcome = rcp->count > 0 ? sherd_rcp_jam(rcp, number + 1 == ATTEMPTS) : SHERD_RCP_GOOD;
    if (*outcome == SHERD_RCP_NO_MEMORY) return sherd_fail_memory(error, "packing: elements");
    return SHERD_OK;
}

// Repeats with more balls if there were too few.
static sherd_status try_all(sherd_rcp *rcp, attempt *a, const sherd_shape_analysis *analysis,
                            sherd_error *error)
{
    sherd_rcp_outcome outcome = SHERD_RCP_LOOSE;
    for (int number = 0; number < ATTEMPTS && outcome != SHERD_RCP_GOOD; ++number) {
        sherd_status status = try_once(rcp, a, analysis, number, &outcome, error);
        if (status != SHERD_OK) return status;
        a->fraction *= outcome == SHERD_RCP_LOOSE ? 1.1 : pow(rcp->scale, 3.0);
    }
    if (rcp->count == 0 && add_one(rcp, a, analysis, error) != SHERD_OK) return error->status;
    rcp->scale = fmin(rcp->scale, 1.0 + SHERD_RCP_CLOSE);
    return sherd_rcp_release(rcp) ? SHERD_OK : sherd_fail_memory(error, "packing: elements");
}

sherd_packing *sherd_rcp_create(const sherd_shape *shape, const sherd_packing_def *def,
                                sherd_error *error)
{
    sherd_shape_analysis analysis;
    if (sherd_analyse_shape(shape, SHERD_PACKING_ORIENT_AXES, 0.0, def->threads, &analysis,
                            error) != SHERD_OK)
        return NULL;
    deepen(shape, &analysis);
    attempt a = {.def = def, .sizes = sherd_rcp_sizes_of(def)};
    a.fraction = a.sizes.fraction;
    sherd_rcp rcp = {.shape = shape, .parallel = {def->threads}};
    sherd_packing *packing = NULL;
    if (check_fit(&a, &analysis, error) == SHERD_OK &&
        try_all(&rcp, &a, &analysis, error) == SHERD_OK) {
        packing = sherd_rcp_finish(&rcp, def, analysis.volume);
        if (packing == NULL) sherd_fail_memory(error, "packing: elements");
    }
    sherd_rcp_forget(&rcp);
    sherd_free(rcp.ball);
    return packing;
}
