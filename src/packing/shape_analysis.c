#include "packing/shape_analysis.h"

#include "base/assertion.h"
#include "base/cpu.h"
#include "base/error.h"
#include "math/vec3.h"
#include "packing/principal_axes.h"
#include "packing/shape_samples.h"
#include "packing/wall_thickness.h"

enum {
    FACE_PROBES = 8192,  // at most, whose normals are compared with an axis
    SUPPORT_PROBES = 16, // interior points from which an extent is traced
};

sherd_vec3 sherd_frame_from_local(const sherd_packing_frame *frame, sherd_vec3 local)
{
    SHERD_ASSERT(fabs(vec3_dot(frame->u, frame->v)) < 1e-9 &&
                     fabs(vec3_dot(frame->u, frame->w)) < 1e-9,
                 "axes of a frame are orthogonal");
    return vec3_add_scaled(vec3_add_scaled(vec3_scale(local.x, frame->u), local.y, frame->v),
                           local.z, frame->w);
}

sherd_vec3 sherd_frame_to_local(const sherd_packing_frame *frame, sherd_vec3 point)
{
    return vec3(vec3_dot(frame->u, point), vec3_dot(frame->v, point), vec3_dot(frame->w, point));
}

// ---- Principal frame ------------------------------------------------------------------------

static void covariance(const sherd_samples *inside, double c[3][3])
{
    double mean[3] = {0}, share = 1.0 / (double)inside->count, sum[9] = {0};
    for (size_t k = 0; k < inside->count; ++k) {
        mean[0] += share * inside->x[k];
        mean[1] += share * inside->y[k];
        mean[2] += share * inside->z[k];
    }
    for (size_t k = 0; k < inside->count; ++k) {
        double x = inside->x[k] - mean[0], y = inside->y[k] - mean[1], z = inside->z[k] - mean[2];
        sum[0] += share * x * x, sum[1] += share * x * y, sum[2] += share * x * z;
        sum[3] += share * y * x, sum[4] += share * y * y, sum[5] += share * y * z;
        sum[6] += share * z * x, sum[7] += share * z * y, sum[8] += share * z * z;
    }
    for (int a = 0; a < 9; ++a)
        c[a / 3][a % 3] = sum[a];
}

// Sums of eight samples each, in vectors; their order is not that of covariance().
enum { LANES = 8 };
typedef double lanes __attribute__((vector_size(LANES * sizeof(double))));
typedef double lanes_at
    __attribute__((vector_size(LANES * sizeof(double)), aligned(sizeof(double)), may_alias));

static inline __attribute__((always_inline)) double sum_of(const lanes *v)
{
    double sum = 0.0;
    for (int k = 0; k < LANES; ++k)
        sum += (*v)[k];
    return sum;
}

// Whether the axes of coordinates are the principal ones for sure: sherd_principal_axes takes them
// for products of inertia of up to 0.5 % of the trace, and here these are below 0.49 %. Rounding
// changes them by less than 1e-10 of it.
SHERD_WIDE(static, bool, has_upright_axes, (const sherd_samples *inside, sherd_vec3 middle),
           (inside, middle))
{
    const double least = 0.0049;
    lanes x1 = {0}, y1 = {0}, z1 = {0}, xx = {0}, yy = {0}, zz = {0}, xy = {0}, yz = {0}, zx = {0};
    size_t count = inside->count / LANES * LANES;
    for (size_t k = 0; k < count; k += LANES) {
        lanes x = *(const lanes_at *)(inside->x + k) - middle.x;
        lanes y = *(const lanes_at *)(inside->y + k) - middle.y;
        lanes z = *(const lanes_at *)(inside->z + k) - middle.z;
        x1 += x, y1 += y, z1 += z;
        xx += x * x, yy += y * y, zz += z * z;
        xy += x * y, yz += y * z, zx += z * x;
    }
    for (size_t k = count; k < inside->count; ++k) {
        double x = inside->x[k] - middle.x, y = inside->y[k] - middle.y,
               z = inside->z[k] - middle.z;
        x1[0] += x, y1[0] += y, z1[0] += z;
        xx[0] += x * x, yy[0] += y * y, zz[0] += z * z;
        xy[0] += x * y, yz[0] += y * z, zx[0] += z * x;
    }
    double n = (double)inside->count, x = sum_of(&x1) / n, y = sum_of(&y1) / n, z = sum_of(&z1) / n;
    double trace = (sum_of(&xx) + sum_of(&yy) + sum_of(&zz)) / n - x * x - y * y - z * z;
    double off = fmax(fabs(sum_of(&xy) / n - x * y),
                      fmax(fabs(sum_of(&yz) / n - y * z), fabs(sum_of(&zx) / n - z * x)));
    return off < least * trace;
}

static void find_axes(const sherd_samples *inside, sherd_bounds bounds, sherd_vec3 axis[3])
{
    sherd_vec3 middle = vec3_scale(0.5, vec3_add(bounds.low, bounds.high));
    if (has_upright_axes(inside, middle)) {
        axis[0] = vec3(1.0, 0.0, 0.0), axis[1] = vec3(0.0, 1.0, 0.0), axis[2] = vec3(0.0, 0.0, 1.0);
        return;
    }
    double c[3][3];
    covariance(inside, c);
    sherd_principal_axes(c, axis);
}

// Rotates axes that are known to a few degrees onto the mean of the surface normals near them, if
// these agree to a degree as those of flat faces do. Other axes are not changed.
static void snap_to_faces(const sherd_shape *shape, const sherd_samples *inside, sherd_vec3 axis[2])
{
    const double near = 0.99, flat = 0.9998; // cosines of 8 degrees and of 1 degree
    size_t stride = inside->count / FACE_PROBES + 1, count[2] = {0};
    sherd_vec3 sum[2] = {{0}};
    for (size_t k = 0; k < inside->count; k += stride) {
        sherd_vec3 n = sherd_shape_normal(shape, sherd_sample_point(inside, k));
        for (int a = 0; a < 2; ++a) {
            double along = vec3_dot(n, axis[a]);
            if (!(fabs(along) > near)) continue;
            sum[a] = vec3_add_scaled(sum[a], copysign(1.0, along), n);
            ++count[a];
        }
    }
    for (int a = 0; a < 2; ++a)
        if (vec3_length(sum[a]) > flat * (double)count[a]) axis[a] = vec3_normalize(sum[a]);
}

// ---- Extents --------------------------------------------------------------------------------

// Sphere tracing from an inside point along n to the surface.
static double trace_to_surface(const sherd_shape *shape, sherd_vec3 p, sherd_vec3 n)
{
    double walked = 0.0;
    for (int step = 0; step < 300; ++step) {
        double depth = -sherd_shape_distance(shape, vec3_add_scaled(p, walked, n));
        if (!(depth > 0.0)) break;
        walked += depth;
        if (depth < 1e-9 * walked) break;
    }
    return walked;
}

// The samples that reach farthest along n, the farthest first; of equal ones the first.
typedef struct farthest_samples {
    int count;
    size_t sample[SUPPORT_PROBES];
    double reach[SUPPORT_PROBES]; // n.x plus the depth [m]
} farthest_samples;

static void insert(farthest_samples *best, size_t sample, double reach)
{
    if (best->count == SUPPORT_PROBES && reach <= best->reach[SUPPORT_PROBES - 1]) return;
    int at = best->count < SUPPORT_PROBES ? best->count++ : SUPPORT_PROBES - 1;
    for (; at > 0 && best->reach[at - 1] < reach; --at) {
        best->reach[at] = best->reach[at - 1];
        best->sample[at] = best->sample[at - 1];
    }
    best->reach[at] = reach;
    best->sample[at] = sample;
}

// Samples together: hardly any of them reaches far enough to be looked at singly.
enum { TOGETHER = 64 };

SHERD_WIDE(static, void, find_farthest,
           (const sherd_samples *inside, sherd_vec3 n, farthest_samples *best), (inside, n, best))
{
    for (size_t first = 0; first < inside->count; first += TOGETHER) {
        size_t left = inside->count - first, count = left < TOGETHER ? left : TOGETHER;
        const double *x = inside->x + first, *y = inside->y + first, *z = inside->z + first,
                     *depth = inside->depth + first;
        bool full = best->count == SUPPORT_PROBES;
        double reach[TOGETHER], least = full ? best->reach[SUPPORT_PROBES - 1] : -INFINITY;
        int64_t farther = 0;
        for (size_t k = 0; k < count; ++k) {
            reach[k] = n.x * x[k] + n.y * y[k] + n.z * z[k] + depth[k];
            farther |= reach[k] > least;
        }
        for (size_t k = 0; k < count && farther != 0; ++k)
            insert(best, first + k, reach[k]);
    }
}

// Lower bound of the largest n.x over the shape: the farthest inside points, traced to the surface.
static double support(const sherd_shape *shape, const sherd_samples *inside, sherd_vec3 n)
{
    farthest_samples best = {0};
    find_farthest(inside, n, &best);
    double farthest = -INFINITY;
    for (int k = 0; k < best.count; ++k) {
        sherd_vec3 p = sherd_sample_point(inside, best.sample[k]);
        farthest = fmax(farthest, vec3_dot(n, p) + trace_to_surface(shape, p, n));
    }
    return farthest;
}

// Bounds along one coordinate axis are exact for most shapes but may be loose for differences.
static double tighter(double bound, double traced, double extent)
{
    return fabs(bound - traced) < 0.01 * extent ? bound : traced;
}

// Whether samples show that extents along a coordinate axis, traced, agree with the bounds within 1
// % of the traced extent: both ends lie between the farthest sample plus its depth and the bounds.
// The first and the last samples often do.
static bool reach_bounds(const double *x, const double *depth, size_t count, double low,
                         double high)
{
    double near = 0.0088 * (high - low);
    size_t up = count, down = 0;
    while (up > 0 && !(x[up - 1] + depth[up - 1] >= high - near))
        --up;
    while (up > 0 && down < count && !(x[down] - depth[down] <= low + near))
        ++down;
    return up > 0 && down < count;
}

static bool is_along(sherd_vec3 n, int axis)
{
    const double part[3] = {n.x, n.y, n.z};
    return part[axis] == 1.0 && part[(axis + 1) % 3] == 0.0 && part[(axis + 2) % 3] == 0.0;
}

static void extent_along(const sherd_shape *shape, const sherd_samples *inside, sherd_bounds bounds,
                         sherd_vec3 n, double *low, double *high)
{
    double pairs[3][3] = {{n.x, bounds.low.x, bounds.high.x},
                          {n.y, bounds.low.y, bounds.high.y},
                          {n.z, bounds.low.z, bounds.high.z}};
    const double *samples[3] = {inside->x, inside->y, inside->z};
    for (int k = 0; k < 3; ++k) {
        *low = pairs[k][1], *high = pairs[k][2];
        if (is_along(n, k) && reach_bounds(samples[k], inside->depth, inside->count, *low, *high))
            return;
    }
    *high = support(shape, inside, n);
    *low = -support(shape, inside, vec3_scale(-1.0, n));
    double extent = *high - *low;
    for (int k = 0; k < 3; ++k) {
        if (pairs[k][0] != 1.0) continue;
        *low = tighter(pairs[k][1], *low, extent);
        *high = tighter(pairs[k][2], *high, extent);
    }
}

// Layers across the thinnest extent, rows along the longest. If extents are equal to 0.1 %, z is
// preferred for the layers' normal and x for the rows.
static void order_axes(const sherd_shape *shape, const sherd_samples *inside, sherd_bounds bounds,
                       sherd_shape_analysis *analysis)
{
    sherd_vec3 axis[3];
    double low[3], high[3];
    find_axes(inside, bounds, axis);
    for (int k = 0; k < 3; ++k)
        extent_along(shape, inside, bounds, axis[k], &low[k], &high[k]);
    int thin = 2;
    for (int k = 1; k >= 0; --k)
        if (high[k] - low[k] < 0.999 * (high[thin] - low[thin])) thin = k;
    int a = (thin + 1) % 3, b = (thin + 2) % 3; // a, b, thin is right-handed
    if (a > b) {
        int swap = a;
        a = b, b = swap;
    }
    int row = high[b] - low[b] > 1.001 * (high[a] - low[a]) ? b : a;
    sherd_vec3 flat[2] = {axis[thin], axis[row]};
    snap_to_faces(shape, inside, flat);
    sherd_vec3 u = flat[1];
    analysis->frame.w = flat[0];
    double along = vec3_dot(u, analysis->frame.w);
    analysis->frame.u = vec3_normalize(vec3_add_scaled(u, -along, analysis->frame.w));
    analysis->frame.v = vec3_cross(analysis->frame.w, analysis->frame.u);
}

static void measure_extents(const sherd_shape *shape, const sherd_samples *inside,
                            sherd_bounds bounds, sherd_shape_analysis *analysis)
{
    const sherd_packing_frame *f = &analysis->frame;
    extent_along(shape, inside, bounds, f->u, &analysis->low.x, &analysis->high.x);
    extent_along(shape, inside, bounds, f->w, &analysis->low.z, &analysis->high.z);
    // v = w x u may be minus a coordinate axis, whose bounds are then exchanged.
    bool flipped = f->v.x + f->v.y + f->v.z < 0.0;
    sherd_vec3 v = flipped ? vec3_scale(-1.0, f->v) : f->v;
    double low, high;
    extent_along(shape, inside, bounds, v, &low, &high);
    analysis->low.y = flipped ? -high : low;
    analysis->high.y = flipped ? -low : high;
}

static void turn_rows(sherd_packing_frame *frame, double angle)
{
    if (angle == 0.0) return;
    frame->u =
        vec3_normalize(vec3_add_scaled(vec3_scale(cos(angle), frame->u), sin(angle), frame->v));
    frame->v = vec3_cross(frame->w, frame->u);
}

static sherd_status analyse_samples(const sherd_shape *shape, const sherd_samples *inside,
                                    sherd_packing_orientation orientation, double angle,
                                    int threads, sherd_shape_analysis *analysis)
{
    sherd_bounds bounds = sherd_shape_bounds(shape);
    analysis->frame = (sherd_packing_frame){{1, 0, 0}, {0, 1, 0}, {0, 0, 1}};
    if (orientation == SHERD_PACKING_ORIENT_AUTO) order_axes(shape, inside, bounds, analysis);
    turn_rows(&analysis->frame, angle);
    measure_extents(shape, inside, bounds, analysis);
    sherd_wall_thickness(shape, inside, threads, analysis);
    analysis->volume = sherd_shape_volume(shape);
    sherd_vec3 extent = vec3_sub(analysis->high, analysis->low);
    // Numerical volumes are accurate to about 0.1 %; only a box fills its bounding box.
    double filled = analysis->volume / (extent.x * extent.y * extent.z);
    analysis->is_box = fabs(filled - 1.0) < 3e-3;
    return SHERD_OK;
}

sherd_status sherd_analyse_shape(const sherd_shape *shape, sherd_packing_orientation orientation,
                                 double angle, int threads, sherd_shape_analysis *analysis,
                                 sherd_error *error)
{
    sherd_bounds bounds = sherd_shape_bounds(shape);
    sherd_vec3 extent = vec3_sub(bounds.high, bounds.low);
    *analysis = (sherd_shape_analysis){0};
    if (!(extent.x > 0.0 && extent.y > 0.0 && extent.z > 0.0) || !vec3_is_finite(extent))
        return sherd_fail(error, SHERD_ERROR_INPUT, "packing.shape", "give a solid shape",
                          "has no volume: its bounds are %g x %g x %g m", extent.x, extent.y,
                          extent.z);
    sherd_samples inside = {0};
    sherd_status status = SHERD_OK;
    if (!sherd_samples_take(shape, bounds, threads, &inside))
        status = sherd_fail_memory(error, "packing: points sampled in the shape");
    else if (inside.count == 0)
        status = sherd_fail(error, SHERD_ERROR_INPUT, "packing.shape",
                            "see what a difference leaves of it, and its units; walls thinner than "
                            "about 1/200 of the size cannot be packed",
                            "the shape has no inside: none of the points tried, %.2g m apart, lies "
                            "in it",
                            inside.spacing);
    else
        status = analyse_samples(shape, &inside, orientation, angle, threads, analysis);
    sherd_samples_free(&inside);
    return status;
}
