#include "packing/survey.h"

#include "base/error.h"
#include "base/memory.h"
#include "base/parallel.h"
#include "math/vec3.h"
#include "packing/principal.h"

#include <stdlib.h>

enum {
    FIRST_GRID = 100000,  // points of the first sampling grid
    LAST_GRID = 8000000,  // and of the finest one tried on thin shapes
    ENOUGH_SAMPLES = 400, // interior points wanted
    WALL_PROBES = 255,    // interior points from which the wall is measured
    FACE_PROBES = 8192,   // at most, whose normals are compared with an axis
    SUPPORT_PROBES = 16,  // interior points from which an extent is traced
    CHUNK = 1024,
    WALL_CHUNK = 8,
};

typedef struct samples {
    sherd_vec3 *point; // interior points
    double *depth;     // their distance to the surface [m], > 0
    size_t count;
    double spacing; // of the grid they come from [m]
} samples;

sherd_vec3 sherd_frame_from_local(const sherd_packing_frame *frame, sherd_vec3 local)
{
    return vec3_add_scaled(vec3_add_scaled(vec3_scale(local.x, frame->u), local.y, frame->v),
                           local.z, frame->w);
}

sherd_vec3 sherd_frame_to_local(const sherd_packing_frame *frame, sherd_vec3 point)
{
    return vec3(vec3_dot(frame->u, point), vec3_dot(frame->v, point), vec3_dot(frame->w, point));
}

// ---- Interior points on a regular grid over the bounds -------------------------------------

typedef struct grid_job {
    const sherd_shape *shape;
    sherd_vec3 low, step;
    size_t nx, ny, nz;
    double *distance;
} grid_job;

static sherd_vec3 grid_point(const grid_job *grid, size_t k)
{
    double i = (double)(k % grid->nx) + 0.5;
    double j = (double)(k / grid->nx % grid->ny) + 0.5;
    double l = (double)(k / (grid->nx * grid->ny)) + 0.5;
    return vec3(grid->low.x + i * grid->step.x, grid->low.y + j * grid->step.y,
                grid->low.z + l * grid->step.z);
}

static void grid_distances(void *context, size_t begin, size_t end)
{
    grid_job *grid = context;
    for (size_t k = begin; k < end; ++k)
        grid->distance[k] = sherd_shape_distance(grid->shape, grid_point(grid, k));
}

static size_t cells_along(double extent, double spacing)
{
    // At least 9 (odd, so that a mid-plane is sampled), at most what the total allows.
    double n = floor(extent / spacing);
    return n < 9.0 ? 9 : (size_t)n;
}

static grid_job grid_over(const sherd_shape *shape, sherd_bounds bounds, double total)
{
    sherd_vec3 extent = vec3_sub(bounds.high, bounds.low);
    double spacing = cbrt(extent.x * extent.y * extent.z / total);
    grid_job grid = {.shape = shape, .low = bounds.low};
    grid.nx = cells_along(extent.x, spacing);
    grid.ny = cells_along(extent.y, spacing);
    grid.nz = cells_along(extent.z, spacing);
    grid.step =
        vec3(extent.x / (double)grid.nx, extent.y / (double)grid.ny, extent.z / (double)grid.nz);
    return grid;
}

// Keeps the grid points inside. False when memory is short.
static bool keep_interior(const grid_job *grid, samples *inside)
{
    size_t total = grid->nx * grid->ny * grid->nz;
    size_t count = 0;
    for (size_t k = 0; k < total; ++k)
        count += grid->distance[k] < 0.0;
    inside->point = sherd_alloc(count, sizeof *inside->point);
    inside->depth = sherd_alloc(count, sizeof *inside->depth);
    if (inside->point == NULL || inside->depth == NULL) return false;
    for (size_t k = 0; k < total; ++k) {
        if (!(grid->distance[k] < 0.0)) continue;
        inside->point[inside->count] = grid_point(grid, k);
        inside->depth[inside->count++] = -grid->distance[k];
    }
    inside->spacing = fmax(grid->step.x, fmax(grid->step.y, grid->step.z));
    return true;
}

static void samples_free(samples *inside)
{
    sherd_free(inside->point);
    sherd_free(inside->depth);
    *inside = (samples){0};
}

// Refines the grid until enough points lie inside. False when memory is short.
static bool sample_interior(const sherd_shape *shape, sherd_bounds bounds, int threads,
                            samples *inside)
{
    for (double total = FIRST_GRID; total <= LAST_GRID; total *= 8.0) {
        grid_job grid = grid_over(shape, bounds, total);
        size_t points = grid.nx * grid.ny * grid.nz;
        grid.distance = sherd_alloc(points, sizeof *grid.distance);
        if (grid.distance == NULL) return false;
        sherd_parallel_for(&(sherd_parallel){threads}, points, CHUNK, grid_distances, &grid);
        samples_free(inside);
        bool kept = keep_interior(&grid, inside);
        sherd_free(grid.distance);
        if (!kept) return false;
        if (inside->count >= ENOUGH_SAMPLES) break;
    }
    return true;
}

// ---- Principal frame ------------------------------------------------------------------------

static void covariance(const samples *inside, double c[3][3])
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

// Turns an axis that sampling knows to a few degrees onto the mean of the surface normals near it,
// if these agree to a degree as those of flat faces do. Other axes stay as they are.
static sherd_vec3 snap_to_faces(const sherd_shape *shape, const samples *inside, sherd_vec3 axis)
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

// Walks from an inside point along n to the surface in steps the distance guarantees to be free.
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

// Largest n.x over the shape, from below: the inside points that reach farthest, traced on.
static double support(const sherd_shape *shape, const samples *inside, sherd_vec3 n)
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

static void extent_along(const sherd_shape *shape, const samples *inside, sherd_bounds bounds,
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

// Layers across the thinnest extent, rows along the longest. Ties keep z for the layers' normal
// and x for the rows. Extents within 0.1 % count as equal.
static void order_axes(const sherd_shape *shape, const samples *inside, sherd_bounds bounds,
                       sherd_survey *survey)
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
    survey->frame.w = snap_to_faces(shape, inside, axis[thin]);
    sherd_vec3 u = snap_to_faces(shape, inside, axis[row]);
    double along = vec3_dot(u, survey->frame.w);
    survey->frame.u = vec3_normalize(vec3_add_scaled(u, -along, survey->frame.w));
    survey->frame.v = vec3_cross(survey->frame.w, survey->frame.u);
}

static void measure_extents(const sherd_shape *shape, const samples *inside, sherd_bounds bounds,
                            sherd_survey *survey)
{
    const sherd_packing_frame *f = &survey->frame;
    extent_along(shape, inside, bounds, f->u, &survey->low.x, &survey->high.x);
    extent_along(shape, inside, bounds, f->w, &survey->low.z, &survey->high.z);
    // v = w x u may be minus a coordinate axis, whose bounds then apply the other way round.
    bool flipped = f->v.x + f->v.y + f->v.z < 0.0;
    sherd_vec3 v = flipped ? vec3_scale(-1.0, f->v) : f->v;
    double low, high;
    extent_along(shape, inside, bounds, v, &low, &high);
    survey->low.y = flipped ? -high : low;
    survey->high.y = flipped ? -low : high;
}

// ---- Wall thickness and depth ---------------------------------------------------------------

// Largest depth along the line from p straight away from the nearest surface: half the local
// thickness. Along that line the depth grows one for one up to the medial axis.
static double climb_to_medial_axis(const sherd_shape *shape, sherd_vec3 p, double depth,
                                   double tolerance, sherd_vec3 *top)
{
    sherd_vec3 n = sherd_shape_normal(shape, p);
    double good = 0.0, bad = depth;
    while (-sherd_shape_distance(shape, vec3_add_scaled(p, -bad, n)) >= depth + bad - tolerance) {
        good = bad;
        bad *= 2.0;
    }
    for (int halving = 0; halving < 40; ++halving) {
        double middle = 0.5 * (good + bad);
        double there = -sherd_shape_distance(shape, vec3_add_scaled(p, -middle, n));
        if (there >= depth + middle - tolerance)
            good = middle;
        else
            bad = middle;
    }
    *top = vec3_add_scaled(p, -good, n);
    return depth + good;
}

// Moves to ever deeper points by a pattern search in the frame's directions.
static void deepen(const sherd_shape *shape, sherd_survey *survey, double step)
{
    const sherd_packing_frame *f = &survey->frame;
    sherd_vec3 direction[6] = {
        f->u, f->v, f->w, vec3_scale(-1.0, f->u), vec3_scale(-1.0, f->v), vec3_scale(-1.0, f->w)};
    double finest = 1e-6 * survey->depth_max;
    for (int round = 0; round < 1000 && step > finest; ++round) {
        bool moved = false;
        for (int k = 0; k < 6; ++k) {
            sherd_vec3 p = vec3_add_scaled(survey->deepest, step, direction[k]);
            double depth = -sherd_shape_distance(shape, p);
            if (depth <= survey->depth_max * (1.0 + 1e-12)) continue;
            survey->deepest = p;
            survey->depth_max = depth;
            moved = true;
        }
        if (!moved) step *= 0.5;
    }
}

static int compare_doubles(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

static void deepest_sample(const samples *inside, sherd_survey *survey)
{
    survey->depth_max = 0.0;
    for (size_t k = 0; k < inside->count; ++k) {
        if (inside->depth[k] <= survey->depth_max) continue;
        survey->depth_max = inside->depth[k];
        survey->deepest = inside->point[k];
    }
}

// Of the probes on walls of typical thickness, the one nearest to the middle of the extents.
static sherd_vec3 choose_wall_point(const sherd_survey *survey, const double *half,
                                    const sherd_vec3 *top)
{
    sherd_vec3 middle = sherd_frame_from_local(
        &survey->frame, vec3_scale(0.5, vec3_add(survey->low, survey->high)));
    size_t best = WALL_PROBES;
    for (size_t k = 0; k < WALL_PROBES; ++k) {
        if (fabs(2.0 * half[k] - survey->wall) > 0.03 * survey->wall) continue;
        if (best == WALL_PROBES || vec3_distance(top[k], middle) < vec3_distance(top[best], middle))
            best = k;
    }
    return top[best];
}

typedef struct wall_job {
    const sherd_shape *shape;
    const samples *inside;
    double tolerance;         // [m]
    double half[WALL_PROBES]; // thicknesses' halves [m]
    sherd_vec3 top[WALL_PROBES];
} wall_job;

static void probe_walls(void *context, size_t begin, size_t end)
{
    wall_job *w = context;
    const samples *inside = w->inside;
    for (size_t k = begin; k < end; ++k) {
        size_t at = (2 * k + 1) * inside->count / (2 * WALL_PROBES);
        w->half[k] = climb_to_medial_axis(w->shape, inside->point[at], inside->depth[at],
                                          w->tolerance, &w->top[k]);
    }
}

static void measure_walls(const sherd_shape *shape, const samples *inside, int threads,
                          sherd_survey *survey)
{
    wall_job walls = {.shape = shape,
                      .inside = inside,
                      .tolerance = 1e-7 * vec3_distance(survey->low, survey->high)};
    double sorted[WALL_PROBES];
    sherd_parallel_for(&(sherd_parallel){threads}, WALL_PROBES, WALL_CHUNK, probe_walls, &walls);
    deepest_sample(inside, survey);
    for (size_t k = 0; k < WALL_PROBES; ++k) {
        sorted[k] = walls.half[k];
        if (walls.half[k] <= survey->depth_max) continue;
        survey->depth_max = walls.half[k];
        survey->deepest = walls.top[k];
    }
    deepen(shape, survey, inside->spacing);
    qsort(sorted, WALL_PROBES, sizeof *sorted, compare_doubles);
    double median = sorted[WALL_PROBES / 2];
    survey->wall = 2.0 * median;
    survey->wall_point = choose_wall_point(survey, walls.half, walls.top);
    // The middle half of all points agrees to 3 %.
    survey->wall_is_uniform = sorted[3 * WALL_PROBES / 4] - sorted[WALL_PROBES / 4] < 0.03 * median;
}

static sherd_status survey_samples(const sherd_shape *shape, const samples *inside,
                                   sherd_packing_orientation orientation, int threads,
                                   sherd_survey *survey)
{
    sherd_bounds bounds = sherd_shape_bounds(shape);
    survey->frame = (sherd_packing_frame){{1, 0, 0}, {0, 1, 0}, {0, 0, 1}};
    if (orientation == SHERD_PACKING_ORIENT_AUTO) order_axes(shape, inside, bounds, survey);
    measure_extents(shape, inside, bounds, survey);
    measure_walls(shape, inside, threads, survey);
    survey->volume = sherd_shape_volume(shape);
    sherd_vec3 extent = vec3_sub(survey->high, survey->low);
    // Numerical volumes are good to about 0.1 %; nothing but a box fills its bounding box.
    double filled = survey->volume / (extent.x * extent.y * extent.z);
    survey->is_box = fabs(filled - 1.0) < 3e-3;
    return SHERD_OK;
}

sherd_status sherd_survey_shape(const sherd_shape *shape, sherd_packing_orientation orientation,
                                int threads, sherd_survey *survey, sherd_error *error)
{
    sherd_bounds bounds = sherd_shape_bounds(shape);
    sherd_vec3 extent = vec3_sub(bounds.high, bounds.low);
    *survey = (sherd_survey){0};
    if (!(extent.x > 0.0 && extent.y > 0.0 && extent.z > 0.0) || !vec3_is_finite(extent))
        return sherd_fail(error, SHERD_ERROR_INPUT, "packing.shape", "give a solid shape",
                          "has no volume: its bounds are %g x %g x %g m", extent.x, extent.y,
                          extent.z);
    samples inside = {0};
    sherd_status status = SHERD_OK;
    if (!sample_interior(shape, bounds, threads, &inside))
        status = sherd_fail_memory(error, "packing: points sampled in the shape");
    else if (inside.count == 0)
        status = sherd_fail(error, SHERD_ERROR_INPUT, "packing.shape",
                            "walls thinner than about 1/200 of the size cannot be packed",
                            "no inside was found at %g m resolution", inside.spacing);
    else
        status = survey_samples(shape, &inside, orientation, threads, survey);
    samples_free(&inside);
    return status;
}
