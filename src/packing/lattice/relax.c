// Position-based relaxation. Every iteration moves every active centre by a fraction of the
// corrections of its contacts and of the surface (Jacobi: all from the old positions, so that
// threads do not matter). Neighbour lists and the surface's tangent planes are updated every few
// iterations.
#include "packing/lattice/relax.h"

#include "base/assertion.h"
#include "base/cpu.h"
#include "base/memory.h"
#include "base/parallel.h"
#include "geometry/shape/shape_range.h"
#include "math/cell_rows.h"
#include "math/vec3.h"
#include "packing/touching.h"

enum {
    NEIGHBOURS = 20, // stored per centre; 12 touch in close packing
    RENEW = 8,       // iterations between new lists and planes
    CHUNK = 1024,
};

// Fraction of the correction applied per iteration. For touching spheres in close packing the
// stiffest mode has four times the stiffness of a pair: below 2/4 the iteration is stable.
static const double PUSH = 0.35;
static const double PULL_REACH = 0.3;    // gaps up to this many radii attract
static const double SURFACE_REACH = 0.5; // outermost spheres are attracted from this distance
// Cosine: a sphere is covered if one lies outward within this angle
static const double COVERED = 0.6;

typedef struct site {
    sherd_vec3 at, normal; // where the plane was taken, and the outward normal there
    double depth;          // of `at`, below the surface [m]
    bool outermost;
    int32_t neighbours;
    int32_t neighbour[NEIGHBOURS];
} site;

typedef struct relaxer {
    const sherd_shape *shape;
    const sherd_relax_def *def;
    sherd_cell_rows rows; // of the points when they were last sorted
    int32_t *number;      // of each among the centres: neighbours lie together here
    sherd_vec3 *point, *moved;
    bool *moves;
    site *site;
    size_t count;
    double far; // depths beyond this are not distinguished [m]
} relaxer;

static void renew_planes(void *context, size_t begin, size_t end)
{
    relaxer *x = context;
    for (size_t n = begin; n < end; ++n) {
        site *s = &x->site[n];
        s->at = x->point[n];
        sherd_known_side inside = {s->at, SHERD_SIDE_INSIDE}; // as all elements are
        double distance = sherd_shape_distance_between(
            x->shape, s->at, (sherd_distance_range){0.0, x->far}, &inside, &s->normal);
        s->depth = fmin(-distance, x->far);
        x->moves[n] = s->depth < x->def->depth;
    }
}

static void renew_neighbours(void *context, size_t begin, size_t end)
{
    relaxer *x = context;
    double r = x->def->radius;
    for (size_t n = begin; n < end; ++n) {
        site *s = &x->site[n];
        s->neighbours = 0;
        s->outermost = s->depth < 2.0 * r;
        if (!x->moves[n]) continue;
        int32_t near[64];
        int found = sherd_cell_rows_near(&x->rows, s->at, 2.4 * r, near, 64);
        for (int k = 0; k < found; ++k) {
            if ((size_t)near[k] == n) continue;
            if (s->neighbours < NEIGHBOURS) s->neighbour[s->neighbours++] = near[k];
            sherd_vec3 way = vec3_sub(x->point[near[k]], s->at);
            if (s->depth < 2.0 * r && vec3_dot(way, s->normal) > COVERED * vec3_length(way))
                s->outermost = false;
        }
    }
}

static bool renew(relaxer *x)
{
    const sherd_parallel threads = {x->def->threads};
    sherd_cell_rows_free(&x->rows);
    if (!sherd_cell_rows_build(&x->rows, 2.4 * x->def->radius, x->point, x->number, x->count))
        return false;
    sherd_parallel_for(&threads, x->count, CHUNK, renew_planes, x);
    sherd_parallel_for(&threads, x->count, CHUNK, renew_neighbours, x);
    return true;
}

// Vectors to a site's neighbours, and the site's fraction of a pair's correction: a half, or all of
// it if the neighbour does not move. Filled up to full vectors with pairs that do not count.
enum { TOGETHER = 8, PAIRS = (NEIGHBOURS + TOGETHER - 1) / TOGETHER * TOGETHER };

typedef struct pairs {
    double x[PAIRS], y[PAIRS], z[PAIRS];
    double share[PAIRS];
} pairs;

static inline __attribute__((always_inline)) int gather_pairs(const relaxer *x, const site *s,
                                                              sherd_vec3 p, pairs *pair)
{
    int k = 0;
    for (; k < s->neighbours; ++k) {
        int32_t other = s->neighbour[k];
        sherd_vec3 way = vec3_sub(x->point[other], p);
        pair->x[k] = way.x, pair->y[k] = way.y, pair->z[k] = way.z;
        pair->share[k] = x->moves[other] ? 0.5 : 1.0;
    }
    for (; k % TOGETHER != 0; ++k)
        pair->x[k] = 1.0, pair->y[k] = pair->z[k] = pair->share[k] = 0.0;
    return k;
}

// Sum of the corrections by all neighbours: the gaps and overlaps of the pairs.
static inline __attribute__((always_inline)) sherd_vec3 pair_steps(const relaxer *x, const site *s,
                                                                   sherd_vec3 p)
{
    const double diameter = 2.0 * x->def->radius, reach = PULL_REACH * x->def->radius;
    const double pull = x->def->pull;
    pairs pair;
    int count = gather_pairs(x, s, p, &pair);
    double step[PAIRS]; // relative to the vector
    for (int k = 0; k < count; ++k) {
        double length = sqrt(pair.x[k] * pair.x[k] + pair.y[k] * pair.y[k] + pair.z[k] * pair.z[k]);
        double gap = length - diameter;
        double asked = (gap < 0.0 ? PUSH : pull) * pair.share[k] * gap / length;
        step[k] = ((gap > reach) | (length == 0.0)) ? 0.0 : asked;
    }
    sherd_vec3 sum = {0};
    for (int k = 0; k < s->neighbours; ++k)
        sum = vec3_add_scaled(sum, step[k], vec3(pair.x[k], pair.y[k], pair.z[k]));
    return sum;
}

static sherd_vec3 surface_step(const relaxer *x, const site *s, sherd_vec3 p)
{
    double r = x->def->radius;
    if (s->depth > 3.0 * r) return p;
    double gap = s->depth - vec3_dot(vec3_sub(p, s->at), s->normal) - r;
    if (gap < 0.0) return vec3_add_scaled(p, gap, s->normal);
    if (!s->outermost) return p;
    return vec3_add_scaled(p, x->def->surface * fmin(gap, SURFACE_REACH * r), s->normal);
}

SHERD_WIDE(static, void, move, (void *context, size_t begin, size_t end), (context, begin, end))
{
    relaxer *x = context;
    for (size_t n = begin; n < end; ++n) {
        const site *s = &x->site[n];
        sherd_vec3 p = x->point[n];
        if (x->moves[n]) p = surface_step(x, s, vec3_add(p, pair_steps(x, s, p)));
        x->moved[n] = p;
    }
}

static void keep_inside(void *context, size_t begin, size_t end)
{
    relaxer *x = context;
    for (size_t n = begin; n < end; ++n)
        if (x->moves[n] && x->site[n].depth < 3.0 * x->def->radius)
            x->point[n] = sherd_push_inside(x->shape, x->point[n], x->def->radius);
}

static bool iterate(relaxer *x)
{
    const sherd_parallel threads = {x->def->threads};
    for (int k = 0; k < x->def->iterations; ++k) {
        if (k % RENEW == 0 && !renew(x)) return false;
        sherd_parallel_for(&threads, x->count, CHUNK, move, x);
        sherd_vec3 *swap = x->point;
        x->point = x->moved;
        x->moved = swap;
    }
    sherd_parallel_for(&threads, x->count, CHUNK, keep_inside, x);
    return true;
}

// Sorted by cells, so that neighbours, which may be far apart among the centres, share the cache.
static bool take_points(relaxer *x, const sherd_centres *centres)
{
    if (!sherd_cell_rows_build(&x->rows, 2.4 * x->def->radius, centres->point, NULL, x->count))
        return false;
    for (size_t n = 0; n < x->count; ++n) {
        x->number[n] = x->rows.source[n];
        x->point[n] = centres->point[x->number[n]];
    }
    return true;
}

bool sherd_relax(const sherd_shape *shape, const sherd_relax_def *def, sherd_centres *centres)
{
    SHERD_ASSERT(def->radius > 0.0, "elements have a radius");
    relaxer x = {.shape = shape, .def = def, .count = centres->count};
    // Normals are needed down to 3 r.
    x.far = fmax(isfinite(def->depth) ? def->depth : 0.0, 3.0 * def->radius) * (1.0 + 1e-6);
    x.point = sherd_alloc(x.count, sizeof *x.point);
    x.moved = sherd_alloc(x.count, sizeof *x.moved);
    x.site = sherd_alloc(x.count, sizeof *x.site);
    x.moves = sherd_alloc(x.count, sizeof *x.moves);
    x.number = sherd_alloc(x.count, sizeof *x.number);
    bool done = x.point != NULL && x.moved != NULL && x.site != NULL && x.moves != NULL &&
                x.number != NULL && take_points(&x, centres) && iterate(&x);
    for (size_t n = 0; n < x.count && done; ++n)
        centres->point[x.number[n]] = x.point[n];
    sherd_cell_rows_free(&x.rows);
    sherd_free(x.point);
    sherd_free(x.moved);
    sherd_free(x.site);
    sherd_free(x.moves);
    sherd_free(x.number);
    return done;
}
