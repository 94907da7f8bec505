#include "models/mpm/mpm_extents.h"

#include "base/error.h"
#include "base/memory.h"
#include "math/vec3.h"

#include <math.h>
#include <stdlib.h>

static const double EDGE = 16.0; // of cubes [h]
enum { MOST_CUBES = 1024 };

typedef struct cube {
    int64_t at[3]; // in edges
    sherd_mpm_extent extent;
} cube;

typedef struct cubes {
    cube *list; // owned
    size_t count, capacity;
} cubes;

void sherd_mpm_extents_free(sherd_mpm_extents *extents)
{
    sherd_free(extents->list);
    *extents = (sherd_mpm_extents){0};
}

static int compare(const void *a, const void *b)
{
    const cube *x = a, *y = b;
    for (int axis = 0; axis < 3; ++axis)
        if (x->at[axis] != y->at[axis]) return x->at[axis] > y->at[axis] ? 1 : -1;
    return 0;
}

static void widen(sherd_mpm_extent *extent, const sherd_mpm_extent *by)
{
    extent->bounds.low = vec3_min(extent->bounds.low, by->bounds.low);
    extent->bounds.high = vec3_max(extent->bounds.high, by->bounds.high);
    extent->speed = fmax(extent->speed, by->speed);
}

// Neighbours in the order of points are mostly in one cube.
static bool add(cubes *all, const cube *one)
{
    if (all->count > 0 && compare(&all->list[all->count - 1], one) == 0) {
        widen(&all->list[all->count - 1].extent, &one->extent);
        return true;
    }
    if (!sherd_grow((void **)&all->list, &all->capacity, all->count + 1, sizeof *all->list))
        return false;
    all->list[all->count++] = *one;
    return true;
}

static bool add_points(cubes *all, const sherd_mpm *m)
{
    const sherd_mpm_points *p = &m->points;
    double edge = EDGE * m->def.spacing;
    for (size_t k = 0; k < p->count; ++k) {
        if (p->number[k] == SHERD_MPM_FILLER) continue;
        sherd_vec3 x = vec3(p->x[0][k], p->x[1][k], p->x[2][k]),
                   v = vec3(p->v[0][k], p->v[1][k], p->v[2][k]);
        cube one = {.extent = {{x, x}, vec3_length(v)}};
        for (int axis = 0; axis < 3; ++axis)
            one.at[axis] = (int64_t)floor(p->x[axis][k] / edge);
        if (!add(all, &one)) return false;
    }
    return true;
}

// One of each.
static void merge(cubes *all)
{
    if (all->count < 2) return;
    qsort(all->list, all->count, sizeof *all->list, compare);
    size_t last = 0;
    for (size_t k = 1; k < all->count; ++k)
        if (compare(&all->list[last], &all->list[k]) == 0)
            widen(&all->list[last].extent, &all->list[k].extent);
        else
            all->list[++last] = all->list[k];
    all->count = last + 1;
}

// Doubles their edges.
static void enlarge(cubes *all)
{
    for (size_t k = 0; k < all->count; ++k)
        for (int axis = 0; axis < 3; ++axis) {
            int64_t at = all->list[k].at[axis];
            all->list[k].at[axis] = at >= 0 ? at / 2 : -((1 - at) / 2);
        }
    merge(all);
}

sherd_status sherd_mpm_extents_find(sherd_mpm_extents *extents, const sherd_mpm *m,
                                    sherd_error *error)
{
    cubes all = {0};
    bool fits = add_points(&all, m);
    if (fits) merge(&all);
    while (fits && all.count > MOST_CUBES)
        enlarge(&all);
    fits = fits && sherd_grow((void **)&extents->list, &extents->capacity, all.count,
                              sizeof *extents->list);
    extents->count = fits ? all.count : 0;
    for (size_t k = 0; k < extents->count; ++k)
        extents->list[k] = all.list[k].extent;
    sherd_free(all.list);
    return fits ? SHERD_OK : sherd_fail_memory(error, "where material points are");
}
