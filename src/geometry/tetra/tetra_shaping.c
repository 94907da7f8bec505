// Features (surface, crease, corner) on which vertices lie, and where vertices may move.
#include "geometry/tetra/tetra_shaping.h"

#include "base/error.h"
#include "base/memory.h"
#include "base/random.h"
#include "geometry/shape/shape_kind.h"

#include <math.h>
#include <string.h>

static void find_features(void *context, size_t begin, size_t end)
{
    tetra_shaping *s = context;
    for (size_t v = begin; v < end; ++v) {
        if (s->feature[v].count == 0) continue;
        tetra_feature *f = &s->feature[v];
        sherd_vec3 x = tetra_vertex(s->mesh, (int32_t)v);
        *f = sherd_surface_feature_at(s->shape, s->size, x);
        if (f->count == 0) *f = (tetra_feature){1, {sherd_shape_normal(s->shape, x)}};
    }
}

sherd_status sherd_tetra_features_find(tetra_shaping *s, sherd_error *error)
{
    s->feature = sherd_alloc((size_t)s->mesh->vertex_count, sizeof *s->feature);
    if (s->feature == NULL) return sherd_fail_memory(error, "a tetrahedral mesh's creases");
    for (size_t f = 0; f < 4 * (size_t)s->mesh->tetra_count; ++f)
        for (int j = 0; j < 3 && s->topology.neighbor[f] < 0; ++j)
            s->feature[s->mesh->tetras[f / 4 * 4 + (size_t)sherd_tetra_face[f % 4][j]]].count = 1;
    sherd_parallel_for(&s->parallel, (size_t)s->mesh->vertex_count, 64, find_features, s);
    return SHERD_OK;
}

// ---------------------------------------------------------------- permitted positions

// On the surface, staying on the same side of any crease.
static bool project_to_surface(const tetra_shaping *s, const tetra_feature *f, sherd_vec3 *x)
{
    sherd_vec3 n;
    return sherd_project_to_surface(s->shape, s->size, x, &n) &&
           vec3_dot(n, f->normal[0]) > SAME_SURFACE;
}

// Along a straight crease; vertices on curved ones do not move.
static bool project_to_crease(const tetra_shaping *s, const tetra_feature *f, sherd_vec3 from,
                              sherd_vec3 *x)
{
    sherd_vec3 along = vec3_normalize(vec3_cross(f->normal[0], f->normal[1]));
    *x = vec3_add_scaled(from, vec3_dot(along, vec3_sub(*x, from)), along);
    return fabs(sherd_shape_distance(s->shape, *x)) < 1e-4 * s->size;
}

bool sherd_tetra_feature_project(const tetra_shaping *s, int32_t v, sherd_vec3 *x)
{
    const tetra_feature *f = &s->feature[v];
    switch (f->count) {
    case 0:
        return true;
    case 1:
        return project_to_surface(s, f, x);
    case 2:
        return project_to_crease(s, f, tetra_vertex(s->mesh, v), x);
    default:
        return false;
    }
}

double sherd_tetra_star_quality(const tetra_shaping *s, int32_t v, sherd_vec3 x)
{
    double worst = 1.0;
    for (int32_t k = s->topology.start[v]; k < s->topology.start[v + 1]; ++k) {
        const int32_t *c = tetra_corners(s->mesh, s->topology.around[k]);
        sherd_vec3 p[4];
        for (int j = 0; j < 4; ++j)
            p[j] = c[j] == v ? x : tetra_vertex(s->mesh, c[j]);
        double volume = tetra_volume_of(p), smaller = 1.0;
        if (volume < s->full_volume) smaller = fmax(volume / s->full_volume, 0.0);
        worst = fmin(worst, smaller * sherd_tetra_shape_quality(p));
    }
    return worst;
}

// ---------------------------------------------------------------- better vertices

// Moves vertices: to improve bad tetrahedra, and at random.

enum { DIRECTIONS = 8 };

// Vertices whose tetrahedra all have a better quality do not move.
static const double GOOD_QUALITY = 0.4;

static sherd_vec3 random_direction(uint64_t seed, uint64_t index)
{
    double z = 2.0 * sherd_random_uniform(seed, 0, index) - 1.0;
    double a = 6.283185307179586 * sherd_random_uniform(seed, 1, index);
    double r = sqrt(fmax(0.0, 1.0 - z * z));
    return vec3(r * cos(a), r * sin(a), z);
}

static sherd_vec3 star_centre(const tetra_shaping *s, int32_t v)
{
    sherd_vec3 sum = vec3(0, 0, 0);
    double count = 0.0;
    for (int32_t k = s->topology.start[v]; k < s->topology.start[v + 1]; ++k) {
        const int32_t *c = tetra_corners(s->mesh, s->topology.around[k]);
        for (int j = 0; j < 4; ++j)
            if (c[j] != v) sum = vec3_add(sum, tetra_vertex(s->mesh, c[j])), count += 1.0;
    }
    return count > 0.0 ? vec3_scale(1.0 / count, sum) : tetra_vertex(s->mesh, v);
}

// Accepts x if it improves the worst tetrahedron.
static void try_position(tetra_shaping *s, int32_t v, sherd_vec3 x, double *quality)
{
    if (!sherd_tetra_feature_project(s, v, &x)) return;
    double q = sherd_tetra_star_quality(s, v, x);
    if (q <= *quality + 1e-6) return;
    *quality = q;
    tetra_set_vertex(s->mesh, v, x);
}

static void smooth_vertex(tetra_shaping *s, int32_t v, int pass)
{
    double quality = sherd_tetra_star_quality(s, v, tetra_vertex(s->mesh, v));
    if (quality > GOOD_QUALITY || s->feature[v].count == 3) return;
    sherd_vec3 centre = star_centre(s, v);
    try_position(s, v, centre, &quality);
    try_position(s, v, vec3_scale(0.5, vec3_add(centre, tetra_vertex(s->mesh, v))), &quality);
    double step = 0.2 * s->size;
    for (int k = 0; k < 2 * DIRECTIONS; ++k) {
        uint64_t draw = (uint64_t)v * DIRECTIONS + (uint64_t)(k % DIRECTIONS);
        sherd_vec3 direction = random_direction((uint64_t)pass, draw);
        try_position(s, v, vec3_add_scaled(tetra_vertex(s->mesh, v), step, direction), &quality);
        if (k % 4 == 3) step *= 0.5;
    }
}

void sherd_tetra_smooth(tetra_shaping *s, int passes)
{
    for (int pass = 1; pass <= passes; ++pass)
        for (int32_t v = 0; v < s->mesh->vertex_count; ++v)
            smooth_vertex(s, v, pass);
}

void sherd_tetra_jitter(tetra_shaping *s, double length, double quality, uint64_t seed)
{
    static const double SHORTER[] = {1.0, 0.7, 0.45, 0.25};
    for (int32_t v = 0; v < s->mesh->vertex_count && length > 0.0; ++v) {
        sherd_vec3 from = tetra_vertex(s->mesh, v);
        double far = cbrt(sherd_random_uniform(seed, 2, (uint64_t)v));
        sherd_vec3 direction = vec3_scale(length * far, random_direction(seed, (uint64_t)v));
        double worst = fmin(quality, sherd_tetra_star_quality(s, v, from));
        for (int k = 0; k < 4; ++k) {
            sherd_vec3 x = vec3_add_scaled(from, SHORTER[k], direction);
            if (!sherd_tetra_feature_project(s, v, &x) || sherd_tetra_star_quality(s, v, x) < worst)
                continue;
            tetra_set_vertex(s->mesh, v, x);
            break;
        }
    }
}
