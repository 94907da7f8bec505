#include "models/mpm/mpm_diagnostics.h"

#include "base/error.h"
#include "base/memory.h"
#include "math/vec3.h"
#include "models/mpm/glue/mpm_cohesive_zone.h"
#include "models/mpm/transfer/mpm_transfer.h"

#define SHERD_LANES 1 // one point at a time
#include "laws/solid/solid_lanes.h"

#include <math.h>
#include <stdlib.h>

// ---------------------------------------------------------------- energy and momentum

// Angular momentum of the points' velocity gradients: m D times the curl, where D = sum w (x_i -
// x_p)^2 along an axis.
sherd_vec3 sherd_mpm_gradients_spin(const sherd_mpm *m)
{
    const sherd_mpm_points *p = &m->points;
    double arm = m->def.spacing * m->def.spacing / (m->def.kernel == SHERD_MPM_CUBIC ? 3.0 : 4.0);
    sherd_vec3 sum = {0};
    for (size_t k = 0; k < p->count && p->c[0] != NULL; ++k) {
        double d = arm * m->solids[p->body[k]].density * p->volume[k];
        sum.x += d * (p->c[7][k] - p->c[5][k]);
        sum.y += d * (p->c[2][k] - p->c[6][k]);
        sum.z += d * (p->c[3][k] - p->c[1][k]);
    }
    return sum;
}

static void add_point(const sherd_mpm *m, size_t k, sherd_mpm_energy *sum)
{
    const sherd_mpm_points *p = &m->points;
    double mass = m->solids[p->body[k]].density * p->volume[k];
    double x[3] = {p->x[0][k], p->x[1][k], p->x[2][k]}, v[3] = {p->v[0][k], p->v[1][k], p->v[2][k]};
    sum->kinetic += 0.5 * mass * (v[0] * v[0] + v[1] * v[1] + v[2] * v[2]);
    sum->momentum.x += mass * v[0], sum->momentum.y += mass * v[1], sum->momentum.z += mass * v[2];
    sum->angular.x += mass * (x[1] * v[2] - x[2] * v[1]);
    sum->angular.y += mass * (x[2] * v[0] - x[0] * v[2]);
    sum->angular.z += mass * (x[0] * v[1] - x[1] * v[0]);
}

sherd_mpm_energy sherd_mpm_sum(const sherd_mpm *m)
{
    sherd_mpm_energy sum = {.angular = sherd_mpm_gradients_spin(m)};
    for (size_t k = 0; k < m->points.count; ++k)
        add_point(m, k, &sum);
    sherd_mpm_transfer transfer = sherd_mpm_transfer_of(m, 0.0);
    sum.stored = sherd_mpm_stored_energy(&transfer, &m->def.parallel);
    sum.glue = sherd_mpm_cohesion_stored(&m->glue), sum.stored += sum.glue;
    sum.stored += m->penalty.energy;
    sum.pending = sherd_mpm_plastic_work(&m->grid);
    return sum;
}

// ---------------------------------------------------------------- stresses

typedef void law_function(const sherd_solid *s, lane_symmetric *b, lane *state,
                          solid_response *out);

#define LAW_ENTRY(NAME, name, doc) [SHERD_SOLID_##NAME] = solid_##name,
static law_function *const LAWS[SHERD_SOLID_LAW_COUNT] = {SHERD_SOLID_LAWS(LAW_ENTRY)};

static sherd_stress stress_of(const sherd_mpm_points *p, const sherd_solid *s, size_t at)
{
    lane_symmetric b;
    solid_response out;
    lane state = p->state[at];
    for (int n = 0; n < SHERD_MPM_SYMMETRIC; ++n)
        b.a[n] = p->b[n][at];
    double j = sqrt(solid_determinant(&b)); // computed first: the law may change b
    LAWS[s->kind](s, &b, &state, &out);
    const lane *t = out.tau.a;
    return (sherd_stress){(float)(t[0] / j), (float)(t[1] / j), (float)(t[2] / j),
                          (float)(t[5] / j), (float)(t[3] / j), (float)(t[4] / j)};
}

typedef struct stress_job {
    const sherd_mpm *m;
    sherd_stress *stress;
} stress_job;

static void stress_range(void *context, size_t begin, size_t end)
{
    const stress_job *j = context;
    const sherd_mpm_points *p = &j->m->points;
    for (size_t at = begin; at < end; ++at)
        if (p->number[at] != SHERD_MPM_FILLER)
            j->stress[p->number[at]] = stress_of(p, &j->m->solids[p->body[at]], at);
}

void sherd_mpm_find_stresses(const sherd_mpm *m, sherd_stress *stress)
{
    enum { CHUNK = 1024 };
    stress_job j = {m, stress};
    sherd_parallel_for(&m->def.parallel, m->points.count, CHUNK, stress_range, &j);
}

// ---------------------------------------------------------------- places

static const double EDGE = 16.0; // of the cubes that extents are computed for [h]
enum { MAX_CUBES = 1024 };

typedef struct cube {
    int64_t at[3]; // position, in multiples of the edge
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

// Adds a point to the last cube or as a new one. Successive points are mostly in one cube.
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

// Sorts cubes and merges those at the same position.
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

// Doubles the edge of all cubes.
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
    while (fits && all.count > MAX_CUBES)
        enlarge(&all);
    fits = fits && sherd_grow((void **)&extents->list, &extents->capacity, all.count,
                              sizeof *extents->list);
    extents->count = fits ? all.count : 0;
    for (size_t k = 0; k < extents->count; ++k)
        extents->list[k] = all.list[k].extent;
    sherd_free(all.list);
    return fits ? SHERD_OK : sherd_fail_memory(error, "where material points are");
}
