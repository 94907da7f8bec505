#include "surface/methods/fluid/fluid.h"

#include "base/memory.h"
#include "math/vec3.h"
#include "surface/methods/fluid/fluid_field.h"
#include "surface/partition/surface_bins.h"

#include <string.h>

// Fraction by which kernels move from their elements towards the mean of the neighbours; it smooths
// bumps of the lattice and of irregular packings. With the paper's 0.9, surfaces lie so far out in
// the tails of kernels that creases appear.
static const double CENTRE_SMOOTHING = 0.5;
// The shortest semi-axis of an ellipsoid [radii], and its upper bound as a fraction of the support.
// Isolated elements then are balls of about their size; with the paper's 1/4 of the support, half a
// radius here, yarns would be threads.
static const double THINNEST = 1.6, THINNEST_FRACTION = 0.9;
// The (1 - s^2)^2 weighted variance of a full neighbourhood along each axis, in squared supports:
// (3/2) / (3/2 + 2 + 1) / 3.
static const double FULL_VARIANCE = 1.0 / 9.0;
// Integral of (1 - s^2)^4 over the unit ball.
static const double KERNEL_VOLUME = 0.4642;
// At the centre of an element's own kernel its fragment fills at least this much; otherwise
// isolated elements would vanish.
static const double MIN_FILL = 0.9;
// Volume per element of a close packing, in cubes of its radius: 4 sqrt(2).
static const double CLOSE_PACKED = 5.656854249492381;

// --- Ellipsoids ------------------------------------------------------------------------------------

// Symmetric 3x3 covariance.
typedef struct moments {
    sherd_vec3 mean; // from the element
    double xx, yy, zz, xy, yz, zx;
} moments;

// Weighted mean and covariance of the neighbours that belong to the same fragment.
static moments look_around(const partition *p, int32_t e, double support)
{
    moments m = {.xx = 0.0};
    double sum = 0.0, inverse = 1.0 / (support * support);
    sherd_vec3 x = p->elements.point[e], first = vec3(0.0, 0.0, 0.0);
    int32_t begin, end;
    sherd_bin_rows rows = sherd_point_bins_ball(&p->elements, x, support);
    while (sherd_point_bins_next(&p->elements, &rows, &begin, &end))
        for (int32_t k = begin; k < end; ++k) {
            sherd_vec3 d = vec3_sub(p->elements.point[k], x);
            double u = 1.0 - vec3_dot(d, d) * inverse;
            if (u <= 0.0 || p->label[k] != p->label[e]) continue;
            double w = u * u;
            sum += w;
            first = vec3_add_scaled(first, w, d);
            m.xx += w * d.x * d.x, m.yy += w * d.y * d.y, m.zz += w * d.z * d.z;
            m.xy += w * d.x * d.y, m.yz += w * d.y * d.z, m.zx += w * d.z * d.x;
        }
    double factor = 1.0 / sum; // the element itself has weight 1
    sherd_vec3 c = m.mean = vec3_scale(factor, first);
    m.xx = m.xx * factor - c.x * c.x, m.yy = m.yy * factor - c.y * c.y;
    m.zz = m.zz * factor - c.z * c.z, m.xy = m.xy * factor - c.x * c.y;
    m.yz = m.yz * factor - c.y * c.z, m.zx = m.zx * factor - c.z * c.x;
    return m;
}

// Upper bound of the largest eigenvalue of a symmetric matrix given by its rows, from the roots of
// the characteristic polynomial.
static double largest_eigenvalue(sherd_vec3 r0, sherd_vec3 r1, sherd_vec3 r2)
{
    double mean = (r0.x + r1.y + r2.z) / 3.0;
    double off_diagonal = r0.y * r0.y + r0.z * r0.z + r1.z * r1.z;
    double a = r0.x - mean, b = r1.y - mean, c = r2.z - mean;
    double p = sqrt((a * a + b * b + c * c + 2.0 * off_diagonal) / 6.0);
    if (!(p > 1e-9 * mean)) return (1.0 + 1e-8) * mean;
    sherd_vec3 d0 = vec3(a, r0.y, r0.z), d1 = vec3(r1.x, b, r1.z), d2 = vec3(r2.x, r2.y, c);
    double half = 0.5 * vec3_dot(d0, vec3_cross(d1, d2)) / (p * p * p);
    return (1.0 + 1e-8) * (mean + 2.0 * p * cos(acos(fmax(-1.0, fmin(1.0, half))) / 3.0));
}

// Squared semi-axes t^2 + (h^2 - t^2) C / C_full with support h and minimum t: a smooth lower
// bound, where the paper clamps eigenvalues.
static fluid_kernel ellipsoid_of(const moments *m, sherd_vec3 at, double radius, double support,
                                 double volume)
{
    double thinnest = fmin(THINNEST * radius, THINNEST_FRACTION * support);
    double floor = thinnest * thinnest;
    double scale = (1.0 - floor / (support * support)) / FULL_VARIANCE;
    sherd_vec3 r0 = vec3(scale * m->xx + floor, scale * m->xy, scale * m->zx);
    sherd_vec3 r1 = vec3(r0.y, scale * m->yy + floor, scale * m->yz);
    sherd_vec3 r2 = vec3(r0.z, r1.z, scale * m->zz + floor);
    sherd_vec3 c0 = vec3_cross(r1, r2), c1 = vec3_cross(r2, r0), c2 = vec3_cross(r0, r1);
    double determinant = vec3_dot(r0, c0), inverse = 1.0 / determinant;
    return (fluid_kernel){.centre = vec3_add_scaled(at, CENTRE_SMOOTHING, m->mean),
                          .xx = inverse * c0.x,
                          .yy = inverse * c1.y,
                          .zz = inverse * c2.z,
                          .xy = inverse * c0.y,
                          .yz = inverse * c1.z,
                          .zx = inverse * c0.z,
                          .extent = vec3(sqrt(r0.x), sqrt(r1.y), sqrt(r2.z)),
                          .reach = sqrt(largest_eigenvalue(r0, r1, r2)),
                          .weight = volume / (KERNEL_VOLUME * sqrt(determinant))};
}

// A ball of the support's radius around the element itself.
static fluid_kernel blob_of(sherd_vec3 at, double support, double volume)
{
    double square = 1.0 / (support * support);
    return (fluid_kernel){.centre = at,
                          .xx = square,
                          .yy = square,
                          .zz = square,
                          .extent = vec3(support, support, support),
                          .reach = support,
                          .weight = volume * square / (KERNEL_VOLUME * support)};
}

typedef struct kernel_job {
    fluid *f;
    double *weight; // raised ones
} kernel_job;

static void shape_kernels(void *context, size_t begin, size_t end)
{
    const kernel_job *job = context;
    const partition *p = job->f->p;
    for (size_t k = begin; k < end; ++k) {
        double r = p->radius[p->elements.source[k]], support = sqrt(8.0) * p->smoothing * r;
        double volume = job->f->volume_scale * r * r * r;
        if (job->f->source.blobs) {
            job->f->kernels[k] = blob_of(p->elements.point[k], support, volume);
            continue;
        }
        moments m = look_around(p, (int32_t)k, support);
        job->f->kernels[k] = ellipsoid_of(&m, p->elements.point[k], r, support, volume);
    }
}

static void raise_weights(void *context, size_t begin, size_t end)
{
    const kernel_job *job = context;
    for (size_t k = begin; k < end; ++k) {
        double fill[1];
        sherd_vec3 slope[1];
        sherd_fluid_fields(job->f, job->f->kernels[k].centre, &job->f->p->label[k], 1, fill, slope);
        job->weight[k] = job->f->kernels[k].weight * fmax(1.0, MIN_FILL / fill[0]);
    }
}

static void release_store(fluid_store *s)
{
    sherd_point_bins_release(&s->centres);
    for (int c = 0; c < FLUID_COLUMNS; ++c)
        sherd_free(s->column[c]);
    sherd_free(s->label);
    *s = (fluid_store){.label = NULL};
}

// Padded: vector loads may read beyond the last kernel.
static bool allocate_store(fluid_store *s, size_t count)
{
    bool ok = true;
    for (int c = 0; c < FLUID_COLUMNS; ++c) {
        s->column[c] = sherd_alloc(count + FLUID_LANES, sizeof(double));
        ok = ok && s->column[c] != NULL;
    }
    s->label = sherd_alloc(count + FLUID_LANES, sizeof *s->label);
    return ok && s->label != NULL;
}

static void fill_store(void *context, size_t begin, size_t end)
{
    fluid *f = context;
    fluid_store *s = &f->store;
    for (size_t k = begin; k < end; ++k) {
        const fluid_kernel *e = &f->kernels[s->centres.source[k]];
        const double row[FLUID_COLUMNS] = {e->centre.x, e->centre.y, e->centre.z, e->xx,
                                           e->yy,       e->zz,       2.0 * e->xy, 2.0 * e->yz,
                                           2.0 * e->zx, e->weight};
        for (int c = 0; c < FLUID_COLUMNS; ++c)
            s->column[c][k] = row[c];
        s->label[k] = f->p->label[s->centres.source[k]];
    }
}

static void raise_thin(fluid *f, const sherd_parallel *parallel, double *weight)
{
    size_t n = (size_t)f->p->elements.count;
    kernel_job job = {f, weight};
    sherd_parallel_for(parallel, n, 512, raise_weights, &job);
    for (size_t k = 0; k < n; ++k)
        f->kernels[k].weight = weight[k];
    sherd_parallel_for(parallel, n, 4096, fill_store, f);
}

static bool make_store(fluid *f, const sherd_parallel *parallel)
{
    int32_t n = f->p->elements.count;
    sherd_vec3 *centre = sherd_alloc((size_t)n, sizeof *centre);
    f->reach = 0.0;
    for (int32_t k = 0; centre != NULL && k < n; ++k) {
        centre[k] = f->kernels[k].centre;
        f->reach = fmax(f->reach, f->kernels[k].reach);
    }
    release_store(&f->store);
    bool ok = centre != NULL &&
              sherd_point_bins_build(&f->store.centres, sherd_point_of_array, centre, n,
                                     surface_bins(0.75 * f->reach)) &&
              allocate_store(&f->store, (size_t)n);
    sherd_free(centre);
    if (ok) sherd_parallel_for(parallel, (size_t)n, 4096, fill_store, f);
    return ok;
}

// Sums of the directions of an element's broken bonds, by element of the body.
static sherd_vec3 *sum_lost(const fluid *f, const uint8_t *broken)
{
    const partition *p = f->p;
    const fluid_source *b = &f->source;
    size_t n = (size_t)p->elements.count;
    sherd_vec3 *lost = sherd_alloc(n, sizeof *lost), *at = sherd_alloc(n, sizeof *at);
    for (size_t k = 0; at != NULL && k < n; ++k)
        at[p->elements.source[k]] = p->elements.point[k];
    for (sherd_bond_index k = 0; broken != NULL && lost != NULL && at != NULL && k < b->bond_count;
         ++k) {
        sherd_element_index i = b->bond_i[k] - b->first, j = b->bond_j[k] - b->first;
        if (!broken[k] || i < 0 || j < 0 || i >= p->elements.count || j >= p->elements.count)
            continue;
        sherd_vec3 d = vec3_normalize(vec3_sub(at[j], at[i]));
        lost[i] = vec3_add(lost[i], d);
        lost[j] = vec3_sub(lost[j], d);
    }
    if (at == NULL) {
        sherd_free(lost);
        lost = NULL;
    }
    sherd_free(at);
    return lost;
}

static bool same(const void *a, const void *b, size_t size)
{
    return memcmp(a, b, size) == 0;
}

static void find_changes(fluid *f, partition *p, const fluid_kernel *former, const sherd_vec3 *lost)
{
    for (int32_t k = 0; k < p->elements.count; ++k) {
        const sherd_vec3 *now = &lost[p->elements.source[k]];
        p->changed[k] |= !same(&f->kernels[k], &former[k], sizeof former[k]) ||
                         !same(&f->lost[k], now, sizeof *now);
        f->lost[k] = *now;
    }
}

bool sherd_fluid_update(fluid *f, partition *p, const uint8_t *broken,
                        const sherd_parallel *parallel)
{
    size_t n = (size_t)p->elements.count;
    fluid_kernel *former = f->kernels;
    kernel_job job = {f, sherd_alloc(n, sizeof *job.weight)};
    sherd_vec3 *lost = sum_lost(f, broken);
    f->kernels = sherd_alloc(n, sizeof *f->kernels);
    bool ok = job.weight != NULL && lost != NULL && f->kernels != NULL;
    if (ok) sherd_parallel_for(parallel, n, 512, shape_kernels, &job);
    ok = ok && make_store(f, parallel);
    if (ok) {
        if (!f->source.blobs) raise_thin(f, parallel, job.weight);
        find_changes(f, p, former, lost);
    }
    sherd_free(former);
    sherd_free(job.weight);
    sherd_free(lost);
    return ok;
}

// --- Creation, update and release
// ------------------------------------------------------------------

fluid *sherd_fluid_create(partition *p, const fluid_source *source, const sherd_parallel *parallel)
{
    fluid *f = sherd_alloc(1, sizeof *f);
    if (f == NULL) return NULL;
    size_t n = (size_t)p->elements.count;
    double cubes = 0.0;
    for (int32_t e = 0; e < p->elements.count; ++e)
        cubes += p->radius[e] * p->radius[e] * p->radius[e];
    *f = (fluid){.p = p,
                 .source = *source,
                 .volume_scale = source->volume > 0.0 ? source->volume / cubes : CLOSE_PACKED,
                 .level = 0.5,
                 .kernels = sherd_alloc(n, sizeof *f->kernels),
                 .lost = sherd_alloc(n, sizeof *f->lost)};
    if (f->kernels != NULL && f->lost != NULL && sherd_fluid_update(f, p, NULL, parallel)) return f;
    sherd_fluid_destroy(f);
    return NULL;
}

void sherd_fluid_destroy(fluid *f)
{
    if (f == NULL) return;
    release_store(&f->store);
    sherd_free(f->kernels);
    sherd_free(f->lost);
    sherd_free(f);
}
