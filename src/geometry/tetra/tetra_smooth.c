// Moves vertices: to improve bad tetrahedra, and at random.
#include "geometry/tetra/tetra_shaping.h"

#include "base/random.h"

#include <math.h>

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
