#include "models/mpm/touch/mpm_outer.h"

#include "base/memory.h"
#include "math/vec3.h"

#include <math.h>
#include <stdlib.h>

enum { AXES = 3, SIDES = 6 };

static const double FLATTEST = 0.02; // of a normal along the side: less is no surface on that side

void sherd_mpm_outer_free(sherd_mpm_outer *o)
{
    sherd_free(o->list);
    *o = (sherd_mpm_outer){0};
}

static bool add(sherd_mpm_outer *o, int32_t element, int side, sherd_vec3 normal, double shift)
{
    if (!sherd_grow((void **)&o->list, &o->room, o->count + 1, sizeof *o->list)) return false;
    o->list[o->count++] = (sherd_mpm_outer_face){
        element, side, {(float)normal.x, (float)normal.y, (float)normal.z}, (float)shift};
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
    uint8_t *near; // by point: whether the surface may be near
} job;

static sherd_vec3 point_of(const double *const x[AXES], size_t k)
{
    return vec3(x[0][k], x[1][k], x[2][k]);
}

static void test_range(void *context, size_t begin, size_t end)
{
    const job *j = context;
    for (size_t k = begin; k < end; ++k)
        j->near[k] = sherd_shape_distance(j->shape, point_of(j->x, k)) > -1.001 * j->step;
}

static bool add_faces(sherd_mpm_outer *o, const job *j, size_t k)
{
    for (int side = 0; side < SIDES; ++side) {
        sherd_vec3 x = point_of(j->x, k), middle = vec3_add(x, along(side, 0.5 * j->step));
        if (sherd_shape_distance(j->shape, vec3_add(x, along(side, j->step))) < 0.0) continue;
        double distance = sherd_shape_distance(j->shape, middle);
        sherd_vec3 normal = sherd_shape_normal(j->shape, middle);
        bool sound = fabs(distance) < j->step && vec3_dot(normal, along(side, 1.0)) > FLATTEST;
        if (sound && !add(o, (int32_t)k, side, normal, -distance)) return false;
    }
    return true;
}

bool sherd_mpm_outer_add_shape(sherd_mpm_outer *o, const sherd_shape *shape,
                               const double *const x[3], size_t count, double step,
                               const sherd_parallel *parallel)
{
    enum { CHUNK = 1024 };
    job j = {shape, x, step, sherd_alloc(count, sizeof *j.near)};
    bool ok = j.near != NULL;
    if (ok) sherd_parallel_for(parallel, count, CHUNK, test_range, &j);
    for (size_t k = 0; k < count && ok; ++k)
        if (j.near[k]) ok = add_faces(o, &j, k);
    sherd_free(j.near);
    return ok;
}

// ---------------------------------------------------------------- walls between pieces

bool sherd_mpm_outer_add_glue(sherd_mpm_outer *o, const sherd_mpm_glue *glue, size_t glue_count,
                              const double *const x[3])
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
        if (!add(o, g->low, 2 * axis + 1, normal, shift) ||
            !add(o, g->high, 2 * axis, vec3_scale(-1.0, normal), -shift))
            return false;
    }
    return true;
}

// ---------------------------------------------------------------- lists

bool sherd_mpm_outer_append(sherd_mpm_outer *o, const sherd_mpm_outer *other, int32_t first)
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
    const sherd_mpm_outer_face *one = a, *other = b;
    if (one->element != other->element) return one->element < other->element ? -1 : 1;
    return (one->side > other->side) - (one->side < other->side);
}

void sherd_mpm_outer_sort(sherd_mpm_outer *o)
{
    if (o->count > 0) qsort(o->list, o->count, sizeof *o->list, by_element);
}

const sherd_mpm_outer_face *sherd_mpm_outer_of(const sherd_mpm_outer *o, int32_t element, int side)
{
    const sherd_mpm_outer_face key = {.element = element, .side = side};
    if (o->count == 0) return NULL;
    return bsearch(&key, o->list, o->count, sizeof *o->list, by_element);
}
