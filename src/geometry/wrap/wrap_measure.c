#include "geometry/wrap/wrap_measure.h"

#include "base/memory.h"
#include "base/parallel.h"
#include "base/random.h"
#include "base/sort.h"
#include "geometry/mesh/mesh_access.h"

#include <math.h>
#include <string.h>

enum { SAMPLES = 6000 };

// Distance of the test points on the two sides of a surface point, as a fraction of an edge length.
static const double SIDE_OFFSET = 1e-3;

// Winding numbers nearer to one half than this are on neither side: near fins and inner walls.
static const double CLEAR = 0.05;

typedef struct sample {
    sherd_vec3 at, normal;
} sample;

// Uniform over the area: each of n equal parts of it gets one sample at a random point of its
// triangle.
static void find_samples(const sherd_mesh *mesh, sample samples[SAMPLES])
{
    double all = 0.0, area = 0.0;
    for (int32_t t = 0; t < mesh->triangle_count; ++t)
        all += vec3_length(mesh_area_vector(mesh, t));
    int32_t next = 0;
    for (int32_t t = 0; t < mesh->triangle_count; ++t) {
        sherd_vec3 n = mesh_area_vector(mesh, t);
        area += vec3_length(n);
        for (; next < SAMPLES && (next + 0.5) * all < area * SAMPLES; ++next) {
            double v = sherd_random_uniform(1, 0, (uint64_t)next);
            double w = sherd_random_uniform(1, 1, (uint64_t)next);
            if (v + w > 1.0) v = 1.0 - v, w = 1.0 - w;
            sherd_vec3 a = mesh_corner(mesh, t, 0), p = a;
            p = vec3_add_scaled(p, v, vec3_sub(mesh_corner(mesh, t, 1), a));
            p = vec3_add_scaled(p, w, vec3_sub(mesh_corner(mesh, t, 2), a));
            samples[next] = (sample){p, vec3_normalize(n)};
        }
    }
    for (; next < SAMPLES; ++next) // samples lost to rounding
        samples[next] = samples[0];
}

typedef struct measuring {
    const wrap_field *old;
    const sherd_mesh_tree *tree; // of the new surface
    const sample *samples;
    double aside;     // [m]
    double *distance; // of each sample [m]; -1: does not count
} measuring;

static double distance_at(const sherd_mesh_tree *tree, sherd_vec3 p)
{
    return sqrt(sherd_mesh_tree_nearest(tree, p).squared);
}

// Distance of the old surface from the new one, where it separates inside from outside.
static void measure_old(void *context, size_t begin, size_t end)
{
    const measuring *m = context;
    for (size_t k = begin; k < end; ++k) {
        const sample *s = &m->samples[k];
        double before = sherd_wrap_field_value(m->old, vec3_add_scaled(s->at, m->aside, s->normal));
        double behind =
            sherd_wrap_field_value(m->old, vec3_add_scaled(s->at, -m->aside, s->normal));
        bool counts = (before >= 0.0) != (behind >= 0.0) && fabs(before - behind) > CLEAR &&
                      fmin(fabs(before), fabs(behind)) > CLEAR;
        m->distance[k] = counts ? distance_at(m->tree, s->at) : -1.0;
    }
}

// Distance of the new surface from the old one; for a sheet, from its ideal offset.
static void measure_new(void *context, size_t begin, size_t end)
{
    const measuring *m = context;
    for (size_t k = begin; k < end; ++k)
        m->distance[k] =
            fabs(sherd_wrap_field_distance(m->old, m->samples[k].at) - m->old->half_thickness);
}

// The 99 % quantile of the counted distances; false when out of memory.
static bool find_percentile(const double *distance, sherd_wrap_report *report)
{
    sherd_sort_pair *pairs = sherd_alloc(SAMPLES, sizeof *pairs);
    if (pairs == NULL) return false;
    size_t count = 0;
    for (size_t k = 0; k < SAMPLES; ++k) {
        if (distance[k] < 0.0) continue;
        memcpy(&pairs[count].key, &distance[k],
               sizeof pairs[count].key); // the order of non-negative doubles
        pairs[count++].value = (uint32_t)k;
    }
    bool sorted = sherd_sort_pairs(pairs, count);
    if (sorted && count > 0) {
        report->distance = distance[pairs[(count - 1) * 99 / 100].value];
        report->farthest = distance[pairs[count - 1].value];
    }
    sherd_free(pairs);
    return sorted;
}

bool sherd_wrap_measure(const wrap_field *old, const sherd_mesh *mesh, double edge_length,
                        sherd_wrap_report *report)
{
    const sherd_parallel parallel = {0};
    sherd_mesh_tree tree;
    sample *samples = sherd_alloc(SAMPLES, sizeof *samples);
    double *distance = sherd_alloc(SAMPLES, sizeof *distance);
    bool good = sherd_mesh_tree_init(&tree, mesh) && samples != NULL && distance != NULL;
    measuring m = {old, &tree, samples, SIDE_OFFSET * edge_length, distance};
    if (good) {
        find_samples(mesh, samples);
        sherd_parallel_for(&parallel, SAMPLES, 64, measure_new, &m);
        for (int k = 0; k < SAMPLES; ++k)
            report->closed_share += (distance[k] > edge_length) / (double)SAMPLES;
    }
    if (good && old->half_thickness > 0.0) {
        good = find_percentile(distance, report);
    } else if (good) {
        find_samples(old->mesh, samples);
        sherd_parallel_for(&parallel, SAMPLES, 64, measure_old, &m);
        good = find_percentile(distance, report);
    }
    sherd_free(samples);
    sherd_free(distance);
    sherd_mesh_tree_release(&tree);
    return good;
}
