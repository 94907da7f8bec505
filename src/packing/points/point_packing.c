#include "packing/points/point_packing.h"

#include "base/error.h"
#include "base/memory.h"
#include "base/parallel.h"
#include "base/random.h"
#include "math/vec3.h"
#include "packing/packing_alloc.h"

#include <math.h>

// Missing part of a spacing [spacings] up to which an extent counts as a whole number of them: lengths are given with few
// digits, and 10 cm have 30 layers 3.33334 mm apart.
static const double ROUNDING = 0.01;

typedef struct lattice {
    const sherd_shape *shape;
    double spacing, low[3]; // of the first site [m]
    double fit[3];          // sites along each axis, possibly more than can be counted
    int64_t count[3], sites;
    uint8_t *inside; // bits, by site, x fastest
} lattice;

static bool is_inside(const lattice *l, int64_t site)
{
    return l->inside[site / 8] >> site % 8 & 1;
}

static lattice lay_out(const sherd_shape *shape, double spacing)
{
    sherd_bounds b = sherd_shape_bounds(shape);
    const double low[3] = {b.low.x, b.low.y, b.low.z}, high[3] = {b.high.x, b.high.y, b.high.z};
    lattice l = {.shape = shape, .spacing = spacing};
    for (int axis = 0; axis < 3; ++axis) {
        double extent = high[axis] - low[axis];
        l.fit[axis] = fmax(1.0, floor(extent / spacing + ROUNDING));
        l.count[axis] = (int64_t)fmin(l.fit[axis], 1e9);
        l.low[axis] =
            0.5 * (low[axis] + high[axis]) - 0.5 * ((double)l.count[axis] - 1.0) * spacing;
    }
    return l;
}

static sherd_vec3 place_of(const lattice *l, int64_t site)
{
    int64_t x = site % l->count[0], y = site / l->count[0] % l->count[1],
            z = site / l->count[0] / l->count[1];
    return (sherd_vec3){l->low[0] + (double)x * l->spacing, l->low[1] + (double)y * l->spacing,
                        l->low[2] + (double)z * l->spacing};
}

static double test_sites(void *context, size_t begin, size_t end)
{
    const lattice *l = context;
    double found = 0.0;
    for (size_t k = begin; k < end; ++k) {
        unsigned inside = sherd_shape_distance(l->shape, place_of(l, (int64_t)k)) < 0.0;
        l->inside[k / 8] |= (uint8_t)(inside << k % 8);
        found += inside;
    }
    return found;
}

static sherd_status refuse_count(const lattice *l, const sherd_packing_def *def, double count,
                                 sherd_error *error)
{
    return sherd_fail(error, SHERD_ERROR_INPUT, "packing.spacing",
                      "use a larger spacing, or raise max_elements; a mesh may lack its scale",
                      "about %.3g points of spacing %g m would be needed, the limit is %lld", count,
                      l->spacing, (long long)def->max_elements);
}

static sherd_status find_sites(lattice *l, const sherd_packing_def *def, double *found,
                               sherd_error *error)
{
    enum { CHUNK = 1024 };   // whole bytes of `inside`
    const double most = 1e9; // sites to test; a shape fills a large part of its box
    // for shapes whose volume is integrated over a grid, times ten
    const double volume_error = 0.02;
    double limit = fmin((double)def->max_elements, INT32_MAX / 2);
    double expected = sherd_shape_volume(l->shape) / (l->spacing * l->spacing * l->spacing);
    double sites = l->fit[0] * l->fit[1] * l->fit[2];
    if (expected > (1.0 + volume_error) * limit) return refuse_count(l, def, expected, error);
    if (sites > most)
        return sherd_fail(error, SHERD_ERROR_INPUT, "packing.spacing", "use a larger spacing",
                          "the shape's box has %.3g points of spacing %g m", sites, l->spacing);
    l->sites = l->count[0] * l->count[1] * l->count[2];
    l->inside = sherd_alloc(((size_t)l->sites + 7) / 8, sizeof *l->inside);
    if (l->inside == NULL) return sherd_fail_memory(error, "packing: points");
    *found =
        sherd_parallel_sum(&(sherd_parallel){def->threads}, (size_t)l->sites, CHUNK, test_sites, l);
    if (*found > limit) return refuse_count(l, def, *found, error);
    if (*found == 0.0)
        return sherd_fail(error, SHERD_ERROR_INPUT, "packing.spacing", "use a smaller spacing",
                          "no point of spacing %g m lies inside the shape", l->spacing);
    return SHERD_OK;
}

// Moves a site at random by up to `jitter` spacings along each axis, but not out of the shape. Whole rows move alike
// along themselves: weights of B-splines half a grid's spacing apart sum up to the same wherever a row begins, so
// that nodes keep their mass. Moved one by one, points raised it here and there, and contact began too early.
static sherd_vec3 shaken(const lattice *l, const sherd_packing_def *def, int64_t site)
{
    int64_t x = site % l->count[0], y = site / l->count[0] % l->count[1],
            z = site / l->count[0] / l->count[1];
    const int64_t row[3] = {y + l->count[1] * z, x + l->count[0] * z, x + l->count[0] * y};
    sherd_vec3 from = place_of(l, site);
    double way[3];
    for (int axis = 0; axis < 3; ++axis) {
        double u = sherd_random_uniform(def->seed, (uint64_t)axis, (uint64_t)row[axis]);
        way[axis] = def->jitter * l->spacing * (2.0 * u - 1.0);
    }
    sherd_vec3 to = vec3(from.x + way[0], from.y + way[1], from.z + way[2]);
    return sherd_shape_distance(l->shape, to) < 0.0 ? to : from;
}

static sherd_packing *make_packing(const lattice *l, const sherd_packing_def *def, double found,
                                   sherd_error *error)
{
    sherd_packing *p = sherd_alloc(1, sizeof *p);
    if (p == NULL || !sherd_packing_alloc(p, (size_t)found, true)) {
        sherd_packing_destroy(p);
        sherd_fail_memory(error, "packing: points");
        return NULL;
    }
    p->shape_volume = sherd_shape_volume(l->shape);
    double cell = l->spacing * l->spacing * l->spacing, radius = 0.5 * l->spacing;
    size_t at = 0;
    for (int64_t k = 0; k < l->sites; ++k) {
        if (!is_inside(l, k)) continue;
        sherd_vec3 x = def->jitter > 0.0 ? shaken(l, def, k) : place_of(l, k);
        p->x[at] = x.x, p->y[at] = x.y, p->z[at] = x.z, p->radius[at] = radius;
        p->volume[at++] = p->shape_volume / found;
    }
    p->element_volume = found * 4.0 / 3.0 * 3.14159265358979323846 * radius * radius * radius;
    p->solid_fraction = p->element_volume / p->shape_volume;
    p->cell_volume_match = found * cell / p->shape_volume;
    p->lattice_radius = radius;
    return p;
}

sherd_packing *sherd_pack_points(const sherd_shape *shape, const sherd_packing_def *def,
                                 sherd_error *error)
{
    lattice l = lay_out(shape, def->spacing);
    double found = 0.0;
    sherd_packing *packing = NULL;
    if (find_sites(&l, def, &found, error) == SHERD_OK)
        packing = make_packing(&l, def, found, error);
    sherd_free(l.inside);
    return packing;
}
