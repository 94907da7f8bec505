#include "packing/shape_analysis.h"

#include "base/assertion.h"
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
    sherd_vec3 mean = {0};
    double share = 1.0 / (double)inside->count;
    for (size_t k = 0; k < inside->count; ++k)
        mean = vec3_add_scaled(mean, share, inside->point[k]);
    for (int a = 0; a < 3; ++a)
        for (int b = 0; b < 3; ++b)
            c[a][b] = 0.0;
    for (size_t k = 0; k < inside->count; ++k) {
        sherd_vec3 p = vec3_sub(inside->point[k], mean);
        double x[3] = {p.x, p.y, p.z};
        for (int a = 0; a < 3; ++a)
            for (int b = 0; b < 3; ++b)
                c[a][b] += share * x[a] * x[b];
    }
}

// Rotates an axis that is known to a few degrees onto the mean of the surface normals near it, if
// these agree to a degree as those of flat faces do. Other axes are not changed.
static sherd_vec3 snap_to_faces(const sherd_shape *shape, const sherd_samples *inside,
                                sherd_vec3 axis)
{
    const double near = 0.99, flat = 0.9998; // cosines of 8 degrees and of 1 degree
    size_t stride = inside->count / FACE_PROBES + 1, count = 0;
    sherd_vec3 sum = {0};
    for (size_t k = 0; k < inside->count; k += stride) {
        sherd_vec3 n = sherd_shape_normal(shape, inside->point[k]);
        double along = vec3_dot(n, axis);
        if (!(fabs(along) > near)) continue;
        sum = vec3_add_scaled(sum, copysign(1.0, along), n);
        ++count;
    }
    return vec3_length(sum) > flat * (double)count ? vec3_normalize(sum) : axis;
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

// Lower bound of the largest n.x over the shape: the farthest inside points, traced to the surface.
static double support(const sherd_shape *shape, const sherd_samples *inside, sherd_vec3 n)
{
    size_t best[SUPPORT_PROBES];
    double reach[SUPPORT_PROBES] = {0};
    int held = 0;
    for (size_t k = 0; k < inside->count; ++k) {
        double value = vec3_dot(n, inside->point[k]) + inside->depth[k];
        if (held == SUPPORT_PROBES && value <= reach[held - 1]) continue;
        int at = held < SUPPORT_PROBES ? held++ : held - 1;
        for (; at > 0 && reach[at - 1] < value; --at) {
            reach[at] = reach[at - 1];
            best[at] = best[at - 1];
        }
        reach[at] = value;
        best[at] = k;
    }
    double farthest = -INFINITY;
    for (int k = 0; k < held; ++k) {
        sherd_vec3 p = inside->point[best[k]];
        farthest = fmax(farthest, vec3_dot(n, p) + trace_to_surface(shape, p, n));
    }
    return farthest;
}

// Bounds along one coordinate axis are exact for most shapes but may be loose for differences.
static double tighter(double bound, double traced, double extent)
{
    return fabs(bound - traced) < 0.01 * extent ? bound : traced;
}

static void extent_along(const sherd_shape *shape, const sherd_samples *inside, sherd_bounds bounds,
                         sherd_vec3 n, double *low, double *high)
{
    *high = support(shape, inside, n);
    *low = -support(shape, inside, vec3_scale(-1.0, n));
    double extent = *high - *low;
    double pairs[3][3] = {{n.x, bounds.low.x, bounds.high.x},
                          {n.y, bounds.low.y, bounds.high.y},
                          {n.z, bounds.low.z, bounds.high.z}};
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
    double c[3][3];
    covariance(inside, c);
    sherd_principal_axes(c, axis);
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
    analysis->frame.w = snap_to_faces(shape, inside, axis[thin]);
    sherd_vec3 u = snap_to_faces(shape, inside, axis[row]);
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
