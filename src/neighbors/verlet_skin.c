#include "neighbors/verlet_skin.h"

#include "base/assertion.h"
#include "base/error.h"
#include "base/memory.h"
#include "math/vec3.h"

enum { CHUNK = 4096 };

// Number of steps that a margin should last, and that number while the margin is short: a short one
// adds few pairs, in a lattice none.
static const double MARGIN_STEPS = 16.0, SHORT_MARGIN_STEPS = 128.0, SHORT_RADII = 0.3;

// Upper bound of margins in radii: the number of near pairs grows with the cube.
static const double MAX_RADII = 2.0;

sherd_status sherd_verlet_skin_init(sherd_verlet_skin *margins, sherd_element_index count,
                                    sherd_error *error)
{
    sherd_verlet_skin_free(margins);
    margins->count = count;
    double **arrays[] = {&margins->x, &margins->y, &margins->z, &margins->margin};
    for (int a = 0; a < 4; ++a) {
        *arrays[a] = sherd_alloc((size_t)count, sizeof **arrays[a]);
        if (*arrays[a] == NULL) return sherd_fail_memory(error, "contact search");
    }
    return SHERD_OK;
}

void sherd_verlet_skin_free(sherd_verlet_skin *margins)
{
    sherd_free(margins->x);
    sherd_free(margins->y);
    sherd_free(margins->z);
    sherd_free(margins->margin);
    *margins = (sherd_verlet_skin){.dt = margins->dt};
}

double sherd_verlet_skin_remaining(const sherd_verlet_skin *margins, const sherd_points *points,
                                   size_t begin, size_t end)
{
    SHERD_ASSERT(begin <= end && end <= (size_t)margins->count, "margins are those of elements");
    SHERD_ASSERT(margins->elapsed >= 0.0, "time advances");
    sherd_vec3 shift = sherd_verlet_skin_shift(margins);
    double least = INFINITY;
    for (size_t k = begin; k < end; ++k) {
        double left =
            margins->margin[k] - sqrt(sherd_verlet_skin_moved2(margins, points, shift, k));
        least = left < least ? left : least;
    }
    return least;
}

// ---------------------------------------------------------------- new list

typedef struct mean_job {
    const double *values;
} mean_job;

static double sum_values(void *context, size_t begin, size_t end)
{
    const mean_job *job = context;
    double sum = 0.0;
    for (size_t k = begin; k < end; ++k)
        sum += job->values[k];
    return sum;
}

static double mean_of(const double *values, size_t count, const sherd_parallel *parallel)
{
    mean_job job = {values};
    return sherd_parallel_sum(parallel, count, CHUNK, sum_values, &job) / (double)count;
}

typedef struct renew_job {
    sherd_verlet_skin *margins;
    const sherd_points *points;
    double least; // [m]
} renew_job;

static inline double margin_of(const renew_job *job, size_t k)
{
    const sherd_points *e = job->points;
    const sherd_verlet_skin *m = job->margins;
    double vx = e->vx[k] - m->drift.x, vy = e->vy[k] - m->drift.y, vz = e->vz[k] - m->drift.z;
    double move = m->dt * sqrt(vx * vx + vy * vy + vz * vz), radius = sherd_point_radius(e, k);
    double wanted = fmin(MARGIN_STEPS * move, MAX_RADII * radius);
    wanted = fmax(wanted, fmin(SHORT_MARGIN_STEPS * move, SHORT_RADII * radius));
    return wanted > job->least ? wanted : job->least;
}

static void renew_range(void *context, size_t begin, size_t end)
{
    const renew_job *job = context;
    const sherd_points *e = job->points;
    sherd_verlet_skin *m = job->margins;
    for (size_t k = begin; k < end; ++k) {
        m->x[k] = e->px[k];
        m->y[k] = e->py[k];
        m->z[k] = e->pz[k];
        m->margin[k] = margin_of(job, k);
    }
}

void sherd_verlet_skin_renew_one(sherd_verlet_skin *margins, const sherd_points *points,
                                 double skin, sherd_element_index k)
{
    SHERD_ASSERT(k >= 0 && k < margins->count && skin >= 0.0, "margins are those of elements");
    const renew_job job = {margins, points, 0.5 * skin};
    sherd_vec3 shift = sherd_verlet_skin_shift(margins);
    margins->x[k] = points->px[k] - shift.x;
    margins->y[k] = points->py[k] - shift.y;
    margins->z[k] = points->pz[k] - shift.z;
    margins->margin[k] = margin_of(&job, (size_t)k);
}

void sherd_verlet_skin_renew(sherd_verlet_skin *margins, const sherd_points *points, double skin,
                             const sherd_parallel *parallel)
{
    SHERD_ASSERT(points->count == margins->count && skin >= 0.0, "each element has a margin");
    size_t n = (size_t)points->count;
    if (n == 0) return;
    margins->drift = vec3(mean_of(points->vx, n, parallel), mean_of(points->vy, n, parallel),
                          mean_of(points->vz, n, parallel));
    margins->elapsed = 0.0;
    margins->renewed = 0;
    renew_job job = {margins, points, 0.5 * skin};
    sherd_parallel_for(parallel, n, CHUNK, renew_range, &job);
}
