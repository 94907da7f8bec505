#include "models/mpm/surface/mpm_surface_fit.h"

#include "base/memory.h"
#include "math/vec3.h"

#include <math.h>
#include <stdlib.h>

enum { AXES = 3, SIDES = 6, BENDS = 6 };

// Least component of a normal along the side for a surface on that side
static const double FLATTEST = 0.02;
// Product of normals a step apart below which they belong to different faces
static const double SHARPEST = 0.7;
// Curvature below which a face is flat, and largest curvature of a curved one [1/step].
static const double MIN_BEND = 0.005, MAX_BEND = 0.7;

void sherd_mpm_surface_fit_free(sherd_mpm_surface_fit *o)
{
    sherd_free(o->list);
    *o = (sherd_mpm_surface_fit){0};
}

static bool add(sherd_mpm_surface_fit *o, int32_t element, int side, sherd_vec3 normal,
                double shift, const double bend[BENDS])
{
    if (!sherd_grow((void **)&o->list, &o->room, o->count + 1, sizeof *o->list)) return false;
    sherd_mpm_fitted_face *face = &o->list[o->count++];
    *face = (sherd_mpm_fitted_face){
        element, side, {(float)normal.x, (float)normal.y, (float)normal.z}, (float)shift, {0.0f}};
    for (int k = 0; k < BENDS && bend != NULL; ++k)
        face->bend[k] = (float)bend[k];
    return true;
}

static sherd_vec3 along(int side, double length)
{
    double d[AXES] = {0.0, 0.0, 0.0};
    d[side / 2] = side % 2 == 1 ? length : -length;
    return vec3(d[0], d[1], d[2]);
}

// ---------------------------------------------------------------- shapes

typedef struct job {
    const sherd_shape *shape;
    const double *const *x;
    double step;
    uint8_t *is_near; // by point: the surface may be near
} job;

static sherd_vec3 point_of(const double *const x[AXES], size_t k)
{
    return vec3(x[0][k], x[1][k], x[2][k]);
}

static void test_range(void *context, size_t begin, size_t end)
{
    const job *j = context;
    for (size_t k = begin; k < end; ++k)
        j->is_near[k] = sherd_shape_distance(j->shape, point_of(j->x, k)) > -1.001 * j->step;
}

// Curvature of the surface along a direction [1/m]: the smaller one of both senses, because the
// other may lead over an edge.
static sherd_vec3 change_along(const job *j, sherd_vec3 foot, sherd_vec3 normal, sherd_vec3 way)
{
    sherd_vec3 least = vec3(0.0, 0.0, 0.0);
    double size = INFINITY;
    for (int back = 0; back < 2; ++back) {
        double step = back ? -j->step : j->step;
        sherd_vec3 there = sherd_shape_normal(j->shape, vec3_add_scaled(foot, step, way)),
                   change = vec3_scale(1.0 / step, vec3_sub(there, normal));
        double length = vec3_length(change);
        if (vec3_dot(there, normal) > SHARPEST && length < size) size = length, least = change;
    }
    return least;
}

// Finds the curvature tensor, if the surface is curved. One direction is the axis most nearly along
// the surface, so that none leads over a cylinder's rim and around it at once.
static bool bend_of(const job *j, sherd_vec3 foot, sherd_vec3 normal, double bend[BENDS])
{
    const double n[AXES] = {fabs(normal.x), fabs(normal.y), fabs(normal.z)};
    int axis = n[1] < n[0] ? 1 : 0;
    if (n[2] < n[axis]) axis = 2;
    sherd_vec3 unit = along(2 * axis + 1, 1.0),
               a = vec3_normalize(vec3_add_scaled(unit, -vec3_dot(unit, normal), normal)),
               b = vec3_cross(normal, a), of_a = change_along(j, foot, normal, a),
               of_b = change_along(j, foot, normal, b);
    double aa = vec3_dot(of_a, a), bb = vec3_dot(of_b, b),
           ab = 0.5 * (vec3_dot(of_a, b) + vec3_dot(of_b, a)),
           size = sqrt(aa * aa + bb * bb + 2.0 * ab * ab) * j->step;
    if (size < MIN_BEND || size > MAX_BEND) return false;
    const double u[AXES] = {a.x, a.y, a.z}, v[AXES] = {b.x, b.y, b.z};
    for (int k = 0; k < BENDS; ++k) {
        int row = k < AXES ? k : (k + 1) % AXES, column = k < AXES ? k : (k + 2) % AXES;
        bend[k] = aa * u[row] * u[column] + bb * v[row] * v[column] +
                  ab * (u[row] * v[column] + v[row] * u[column]);
    }
    return true;
}

static bool add_faces(sherd_mpm_surface_fit *o, const job *j, size_t k)
{
    for (int side = 0; side < SIDES; ++side) {
        sherd_vec3 x = point_of(j->x, k), middle = vec3_add(x, along(side, 0.5 * j->step));
        if (sherd_shape_distance(j->shape, vec3_add(x, along(side, j->step))) < 0.0) continue;
        double distance = sherd_shape_distance(j->shape, middle);
        sherd_vec3 normal = sherd_shape_normal(j->shape, middle);
        bool sound = fabs(distance) < j->step && vec3_dot(normal, along(side, 1.0)) > FLATTEST;
        double bend[BENDS];
        bool bent = sound && bend_of(j, vec3_add_scaled(middle, -distance, normal), normal, bend);
        if (sound && !add(o, (int32_t)k, side, normal, -distance, bent ? bend : NULL)) return false;
    }
    return true;
}

bool sherd_mpm_surface_fit_add_shape(sherd_mpm_surface_fit *o, const sherd_shape *shape,
                                     const double *const x[3], size_t count, double step,
                                     const sherd_parallel *parallel)
{
    enum { CHUNK = 1024 };
    job j = {shape, x, step, sherd_alloc(count, sizeof *j.is_near)};
    bool ok = j.is_near != NULL;
    if (ok) sherd_parallel_for(parallel, count, CHUNK, test_range, &j);
    for (size_t k = 0; k < count && ok; ++k)
        if (j.is_near[k]) ok = add_faces(o, &j, k);
    sherd_free(j.is_near);
    return ok;
}

// ---------------------------------------------------------------- walls between pieces

bool sherd_mpm_surface_fit_add_glue(sherd_mpm_surface_fit *o, const sherd_mpm_glue *glue,
                                    size_t glue_count, const double *const x[3])
{
    for (size_t k = 0; k < glue_count; ++k) {
        const sherd_mpm_glue *g = &glue[k];
        sherd_vec3 low = point_of(x, (size_t)g->low), high = point_of(x, (size_t)g->high),
                   way = vec3_sub(high, low),
                   normal = vec3(g->normal[0], g->normal[1], g->normal[2]);
        const double ways[AXES] = {fabs(way.x), fabs(way.y), fabs(way.z)};
        int axis = ways[0] > ways[1] ? 0 : 1;
        if (ways[2] > ways[axis]) axis = 2;
        if (vec3_dot(normal, way) < 0.0) normal = vec3_scale(-1.0, normal);
        sherd_vec3 middle = vec3_scale(0.5, vec3_add(low, high)),
                   place = vec3(g->x[0], g->x[1], g->x[2]);
        double shift = vec3_dot(vec3_sub(place, middle), normal);
        if (!(vec3_dot(normal, way) > FLATTEST * vec3_length(way))) continue;
        if (!add(o, g->low, 2 * axis + 1, normal, shift, NULL) ||
            !add(o, g->high, 2 * axis, vec3_scale(-1.0, normal), -shift, NULL))
            return false;
    }
    return true;
}

// ---------------------------------------------------------------- lists

bool sherd_mpm_surface_fit_append(sherd_mpm_surface_fit *o, const sherd_mpm_surface_fit *other,
                                  int32_t first)
{
    if (!sherd_grow((void **)&o->list, &o->room, o->count + other->count + 1, sizeof *o->list))
        return false;
    for (size_t k = 0; k < other->count; ++k) {
        o->list[o->count] = other->list[k];
        o->list[o->count++].element += first;
    }
    return true;
}

static int by_element(const void *a, const void *b)
{
    const sherd_mpm_fitted_face *one = a, *other = b;
    if (one->element != other->element) return one->element < other->element ? -1 : 1;
    return (one->side > other->side) - (one->side < other->side);
}

void sherd_mpm_surface_fit_sort(sherd_mpm_surface_fit *o)
{
    if (o->count > 0) qsort(o->list, o->count, sizeof *o->list, by_element);
}

const sherd_mpm_fitted_face *sherd_mpm_surface_fit_of(const sherd_mpm_surface_fit *o,
                                                      int32_t element, int side)
{
    const sherd_mpm_fitted_face key = {.element = element, .side = side};
    if (o->count == 0) return NULL;
    return bsearch(&key, o->list, o->count, sizeof *o->list, by_element);
}
