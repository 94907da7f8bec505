#include "packing/wall_thickness.h"

#include "base/parallel.h"
#include "geometry/shape/shape_range.h"
#include "math/vec3.h"

#include <stdlib.h>

enum {
    WALL_PROBES = 255, // interior points from which the wall is measured
    WALL_CHUNK = 8,
};

typedef struct climb {
    const sherd_shape *shape;
    sherd_vec3 from, up; // up: unit vector away from the nearest surface
    double depth;        // of `from`
    double tolerance;    // [m]
} climb;

// Whether the depth grew by the distance moved: then there is no nearer surface.
static bool grew_up_to(const climb *c, double way)
{
    double depth = c->depth + way - c->tolerance;
    sherd_known_side from = {c->from, SHERD_SIDE_INSIDE};
    sherd_vec3 p = vec3_add_scaled(c->from, way, c->up);
    return -sherd_shape_distance_between(c->shape, p, (sherd_distance_range){depth, depth}, &from,
                                         NULL) >= depth;
}

// Largest depth along the line from a sample away from the nearest surface: half the local
// thickness. Along that line the depth grows by the distance moved up to the medial axis.
static double climb_to_medial_axis(const climb *c, sherd_vec3 *top)
{
    double good = 0.0, bad = c->depth;
    while (grew_up_to(c, bad)) {
        good = bad;
        bad *= 2.0;
    }
    for (int halving = 0; halving < 40; ++halving) {
        double middle = 0.5 * (good + bad);
        if (grew_up_to(c, middle))
            good = middle;
        else
            bad = middle;
    }
    *top = vec3_add_scaled(c->from, good, c->up);
    return c->depth + good;
}

// Pattern search for the deepest point, along the frame's axes.
static void deepen(const sherd_shape *shape, sherd_shape_analysis *analysis, double step)
{
    const sherd_packing_frame *f = &analysis->frame;
    sherd_vec3 direction[6] = {
        f->u, f->v, f->w, vec3_scale(-1.0, f->u), vec3_scale(-1.0, f->v), vec3_scale(-1.0, f->w)};
    double finest = 1e-6 * analysis->depth_max;
    for (int round = 0; round < 1000 && step > finest; ++round) {
        bool moved = false;
        for (int k = 0; k < 6; ++k) {
            sherd_vec3 p = vec3_add_scaled(analysis->deepest, step, direction[k]);
            double wanted = analysis->depth_max * (1.0 + 1e-12);
            sherd_distance_range range = {wanted, (analysis->depth_max + step) * (1.0 + 1e-6)};
            double depth = -sherd_shape_distance_between(shape, p, range, NULL, NULL);
            if (depth <= wanted) continue;
            analysis->deepest = p;
            analysis->depth_max = depth;
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

static void deepest_sample(const sherd_samples *inside, sherd_shape_analysis *analysis)
{
    analysis->depth_max = 0.0;
    for (size_t k = 0; k < inside->count; ++k) {
        if (inside->depth[k] <= analysis->depth_max) continue;
        analysis->depth_max = inside->depth[k];
        analysis->deepest = sherd_sample_point(inside, k);
    }
}

// Of the probes on walls of typical thickness, the one nearest to the middle of the extents.
static sherd_vec3 choose_wall_point(const sherd_shape_analysis *analysis, const double *half,
                                    const sherd_vec3 *top)
{
    sherd_vec3 middle = sherd_frame_from_local(
        &analysis->frame, vec3_scale(0.5, vec3_add(analysis->low, analysis->high)));
    size_t best = WALL_PROBES;
    for (size_t k = 0; k < WALL_PROBES; ++k) {
        if (fabs(2.0 * half[k] - analysis->wall) > 0.03 * analysis->wall) continue;
        if (best == WALL_PROBES || vec3_distance(top[k], middle) < vec3_distance(top[best], middle))
            best = k;
    }
    return top[best];
}

typedef struct wall_job {
    const sherd_shape *shape;
    const sherd_samples *inside;
    double tolerance;         // [m]
    double half[WALL_PROBES]; // half the thicknesses [m]
    sherd_vec3 top[WALL_PROBES];
} wall_job;

static void probe_walls(void *context, size_t begin, size_t end)
{
    wall_job *w = context;
    const sherd_samples *inside = w->inside;
    for (size_t k = begin; k < end; ++k) {
        size_t at = (2 * k + 1) * inside->count / (2 * WALL_PROBES);
        sherd_vec3 from = sherd_sample_point(inside, at);
        climb up = {.shape = w->shape,
                    .from = from,
                    .up = vec3_scale(-1.0, sherd_shape_normal(w->shape, from)),
                    .depth = inside->depth[at],
                    .tolerance = w->tolerance};
        w->half[k] = climb_to_medial_axis(&up, &w->top[k]);
    }
}

void sherd_wall_thickness(const sherd_shape *shape, const sherd_samples *inside, int threads,
                          sherd_shape_analysis *analysis)
{
    wall_job walls = {.shape = shape,
                      .inside = inside,
                      .tolerance = 1e-7 * vec3_distance(analysis->low, analysis->high)};
    double sorted[WALL_PROBES];
    sherd_parallel_for(&(sherd_parallel){threads}, WALL_PROBES, WALL_CHUNK, probe_walls, &walls);
    deepest_sample(inside, analysis);
    for (size_t k = 0; k < WALL_PROBES; ++k) {
        sorted[k] = walls.half[k];
        if (walls.half[k] <= analysis->depth_max) continue;
        analysis->depth_max = walls.half[k];
        analysis->deepest = walls.top[k];
    }
    deepen(shape, analysis, inside->spacing);
    qsort(sorted, WALL_PROBES, sizeof *sorted, compare_doubles);
    double median = sorted[WALL_PROBES / 2];
    analysis->wall = 2.0 * median;
    analysis->wall_point = choose_wall_point(analysis, walls.half, walls.top);
    // The middle half of all points agrees to 3 %.
    analysis->wall_is_uniform =
        sorted[3 * WALL_PROBES / 4] - sorted[WALL_PROBES / 4] < 0.03 * median;
}
