#include "models/mpm/glue/mpm_cohesive_zone.h"

#include "base/memory.h"
#include "models/mpm/grid/mpm_axes.h"

#include <math.h>

enum {
    AXES = 3,
    GLUE_PER_CHUNK = 64,
    REACHED = SHERD_MPM_REACH * SHERD_MPM_REACH * SHERD_MPM_REACH
};

double sherd_mpm_cohesion_stored(const sherd_mpm_glues *g)
{
    double sum = 0.0;
    for (size_t k = 0; k < g->count; ++k)
        sum += g->items[k].area * sherd_mpm_glue_stored(&g->items[k]);
    return sum;
}

// ---------------------------------------------------------------- sides

// A side of a glue particle belongs to the nearest point of its piece. The velocity at x_p + d is
// sum w (1 + q (x_i - x_p) . d) v_i, as of contact springs (mpm_penalty_contact.h).
typedef struct side {
    int count;
    double face[AXES], inside[AXES]; // from the point: the side's place, and the one behind it [m]
    struct {
        int32_t layer, node;
        double weight, slope[AXES]; // w [1], q w (x_i - x_p) [1/m]
    } at[REACHED];
} side;

// Nodes of the point at x.
static void list_nodes(const sherd_mpm_grid *grid, const double x[AXES], uint32_t piece, side *s)
{
    double w[AXES][SHERD_MPM_REACH];
    double q = (grid->kernel == SHERD_MPM_CUBIC ? 3.0 : 4.0) / (grid->h * grid->h);
    int64_t first[AXES];
    int32_t block[AXES], layer[SHERD_MPM_PARTS];
    int reach = (int)grid->kernel;
    sherd_mpm_block_at(grid, x, block);
    for (int k = 0; k < SHERD_MPM_PARTS; ++k) {
        const int32_t b[AXES] = {block[0] + (k & 1), block[1] + (k >> 1 & 1), block[2] + (k >> 2)};
        layer[k] = sherd_mpm_find_layer(grid, b, piece);
    }
    for (int k = 0; k < AXES; ++k)
        first[k] = sherd_mpm_axis_weights(grid, x[k], w[k]);
    s->count = 0;
    for (int n = 0; n < reach * reach * reach; ++n) {
        const int at[AXES] = {n % reach, n / reach % reach, n / reach / reach};
        int of = 0, node = 0;
        for (int k = AXES - 1; k >= 0; --k) {
            int in_tile = (int)(first[k] + at[k] + 1 - SHERD_MPM_SIDE * (int64_t)block[k]);
            of |= (in_tile / SHERD_MPM_SIDE & 1) << k;
            node = node * SHERD_MPM_SIDE + in_tile % SHERD_MPM_SIDE;
        }
        if (layer[of] < 0 || !(grid->loads[layer[of]].node[node][0][0] > 0.0)) continue;
        s->at[s->count].layer = layer[of], s->at[s->count].node = node;
        double weight = w[0][at[0]] * w[1][at[1]] * w[2][at[2]];
        s->at[s->count].weight = weight;
        for (int k = 0; k < AXES; ++k)
            s->at[s->count].slope[k] = q * weight * (grid->h * (double)(first[k] + at[k]) - x[k]);
        ++s->count;
    }
}

typedef struct job {
    sherd_mpm_glues *g;
    const sherd_mpm_grid *grid;
    const sherd_mpm_points *points;
    const size_t *soft; // glue that softens
    side (*sides)[2];
    double *work;
    double dt, time;
} job;

// How far out to the face normal forces act: 0 at the depth of the points, 1 at the face. At the face they balance a
// uniform stress, as before glue gave way; as deep as the points, the last half spacing of material is relieved, and where
// all of it was at once pieces jumped apart by half of a cell's strain and rang. So forces go inwards as they fade. Strains
// of some per cent need them inside from the beginning.
static double outwards(const job *j, const sherd_mpm_glue *glue)
{
    const double all_to = 0.01, none_from = 0.03; // strains of the material at which glue gives way
    double strain = glue->start / sherd_mpm_glue_modulus(glue, j->grid->h);
    double small = fmin(fmax(0.0, (none_from - strain) / (none_from - all_to)), 1.0);
    return small * fmin(fmax(0.0, sherd_mpm_glue_pull(glue)) / glue->start, 1.0);
}

static void find_side(const job *j, size_t k, int which, side *s)
{
    const sherd_mpm_glue *glue = &j->g->items[k];
    size_t at = (size_t)j->g->point_of[k][which];
    double x[AXES];
    for (int axis = 0; axis < AXES; ++axis) {
        x[axis] = j->points->x[axis][at];
        s->face[axis] = glue->x[axis] + (which == 0 ? -0.5 : 0.5) * glue->gap[axis] - x[axis];
    }
    double depth = (1.0 - outwards(j, glue)) * sherd_axes_dot(s->face, glue->normal);
    for (int axis = 0; axis < AXES; ++axis)
        s->inside[axis] = s->face[axis] - depth * glue->normal[axis];
    list_nodes(j->grid, x, which == 0 ? glue->a : glue->b, s);
}

// The part of v along the normal.
static void take_normal(const sherd_mpm_glue *glue, const double v[AXES], double across[AXES])
{
    double size = sherd_axes_dot(v, glue->normal);
    for (int k = 0; k < AXES; ++k)
        across[k] = size * glue->normal[k];
}

// ---------------------------------------------------------------- loads

static size_t list_soft(const sherd_mpm_glues *g, size_t *list)
{
    size_t count = 0;
    for (size_t k = 0; k < g->count; ++k)
        if (sherd_mpm_glue_softens(&g->items[k])) list[count++] = k;
    return count;
}

static void find_range(void *context, size_t begin, size_t end)
{
    const job *j = context;
    for (size_t n = begin; n < end; ++n)
        for (int which = 0; which < 2; ++which)
            find_side(j, j->soft[n], which, &j->sides[n][which]);
}

static void add_loads(const sherd_mpm_glue *glue, const side sides[2], sherd_mpm_grid *grid,
                      double kick)
{
    double across[AXES];
    take_normal(glue, glue->traction, across);
    for (int which = 0; which < 2; ++which) {
        const side *s = &sides[which];
        double impulse = (which == 0 ? kick : -kick) * glue->area;
        for (int n = 0; n < s->count; ++n) {
            double *load = grid->loads[s->at[n].layer].node[s->at[n].node][1],
                   inside = s->at[n].weight + sherd_axes_dot(s->at[n].slope, s->inside),
                   face = s->at[n].weight + sherd_axes_dot(s->at[n].slope, s->face);
            for (int k = 0; k < AXES; ++k)
                load[k] += impulse * (inside * across[k] + face * (glue->traction[k] - across[k]));
        }
    }
}

// In the order of glue, whatever the number of threads. Adds the impulses of glue that softens,
// `kick` [s] long, to the loads of both pieces. False: memory is short.
static bool load_softening(sherd_mpm_glues *g, sherd_mpm_grid *grid, const sherd_mpm_points *points,
                           const sherd_parallel *parallel, double kick)
{
    if (g->softening == 0) return true;
    size_t *soft = sherd_alloc(g->softening, sizeof *soft);
    side(*sides)[2] = sherd_alloc(g->softening, sizeof *sides);
    bool ok = soft != NULL && sides != NULL;
    if (ok) {
        size_t count = list_soft(g, soft);
        job j = {.g = g, .grid = grid, .points = points, .soft = soft, .sides = sides};
        sherd_parallel_for(parallel, count, GLUE_PER_CHUNK, find_range, &j);
        for (size_t n = 0; n < count; ++n)
            add_loads(&g->items[soft[n]], sides[n], grid, kick);
    }
    sherd_free(soft), sherd_free(sides);
    return ok;
}

// ---------------------------------------------------------------- motion

typedef struct motion {
    double v[AXES], l[AXES][AXES]; // at the point [m/s], [1/s]
} motion;

static motion motion_of(const sherd_mpm_grid *grid, const side *s)
{
    motion m = {{0.0}, {{0.0}}};
    for (int n = 0; n < s->count; ++n) {
        const double *v = grid->motion[s->at[n].layer].node[s->at[n].node][0];
        for (int i = 0; i < AXES; ++i) {
            m.v[i] += s->at[n].weight * v[i];
            for (int k = 0; k < AXES; ++k)
                m.l[i][k] += s->at[n].slope[k] * v[i];
        }
    }
    return m;
}

// By the mean spin of both sides; lengths stay.
static void turn(double v[AXES], double dt, const motion of[2])
{
    double out[AXES], squares = sherd_axes_dot(v, v), length;
    for (int i = 0; i < AXES; ++i) {
        out[i] = v[i];
        for (int k = 0; k < AXES; ++k)
            out[i] +=
                0.25 * dt * v[k] * (of[0].l[i][k] - of[0].l[k][i] + of[1].l[i][k] - of[1].l[k][i]);
    }
    length = sqrt(sherd_axes_dot(out, out));
    for (int i = 0; i < AXES && length > 0.0; ++i)
        v[i] = out[i] * (sqrt(squares) / length);
}

// Returns the largest component of its sides' velocities.
static double open_one(const job *j, size_t n)
{
    sherd_mpm_glue *glue = &j->g->items[j->soft[n]];
    side s;
    motion m[2];
    double face[2][AXES], apart[AXES], sliding[AXES], across[AXES], along[AXES], before[AXES],
        opened[AXES], most = 0.0;
    for (int which = 0; which < 2; ++which) {
        double sign = which == 0 ? -1.0 : 1.0;
        find_side(j, j->soft[n], which, &s);
        m[which] = motion_of(j->grid, &s);
        for (int k = 0; k < AXES; ++k) {
            double inside = m[which].v[k] + sherd_axes_dot(m[which].l[k], s.inside);
            face[which][k] = m[which].v[k] + sherd_axes_dot(m[which].l[k], s.face);
            apart[k] = (which == 0 ? 0.0 : apart[k]) + sign * inside;
            sliding[k] = (which == 0 ? 0.0 : sliding[k]) + sign * face[which][k];
            most = fmax(most, fabs(face[which][k]));
        }
    }
    take_normal(glue, apart, across), take_normal(glue, sliding, along);
    for (int k = 0; k < AXES; ++k) {
        before[k] = glue->traction[k];
        opened[k] = j->dt * (sliding[k] + across[k] - along[k]);
        glue->gap[k] += opened[k];
    }
    turn(glue->normal, j->dt, m), turn(glue->shift, j->dt, m);
    sherd_mpm_glue_open(glue, j->time);
    j->work[n] = glue->area * sherd_mpm_glue_add_work(glue, before, opened);
    // Glue that joins again will be moved by the time since other glue was moved, and this step.
    double back = sherd_mpm_glue_joins(glue) ? j->g->lag + j->dt : 0.0;
    if (back > 0.0) turn(glue->normal, -back, m);
    for (int k = 0; k < AXES; ++k)
        glue->x[k] += 0.5 * (j->dt - back) * (face[0][k] + face[1][k]);
    return most;
}

static double open_range(void *context, size_t begin, size_t end)
{
    const job *j = context;
    double most = 0.0;
    for (size_t n = begin; n < end; ++n)
        most = fmax(most, open_one(j, n));
    return most;
}

// ---------------------------------------------------------------- stages of a step

bool sherd_mpm_glues_load(sherd_mpm_glues *g, sherd_mpm_grid *grid, const sherd_mpm_points *points,
                          const sherd_parallel *parallel, double time, double kick)
{
    if (sherd_mpm_glues_due(g)) sherd_mpm_glues_test_stress(g, grid, parallel, time);
    if (!load_softening(g, grid, points, parallel, kick)) return false;
    if (g->broken < g->count) sherd_mpm_glues_join(g, grid, parallel);
    return true;
}

bool sherd_mpm_glues_open(sherd_mpm_glues *g, const sherd_mpm_grid *grid,
                          const sherd_mpm_points *points, const sherd_parallel *parallel, double dt,
                          double time, sherd_mpm_glue_motion *out)
{
    *out = (sherd_mpm_glue_motion){0.0, 0.0};
    if (g->softening == 0) return true;
    size_t *soft = sherd_alloc(g->softening, sizeof *soft);
    job j = {.g = g, .grid = grid, .points = points, .soft = soft, .dt = dt, .time = time};
    j.work = sherd_alloc(g->softening, sizeof *j.work);
    bool ok = soft != NULL && j.work != NULL;
    if (ok) {
        size_t count = list_soft(g, soft);
        out->way = dt * sherd_parallel_max(parallel, count, GLUE_PER_CHUNK, open_range, &j);
        for (size_t n = 0; n < count; ++n)
            out->work += j.work[n];
        sherd_mpm_glues_rejoin(g, soft, count);
    }
    sherd_free(soft), sherd_free(j.work);
    return ok;
}

double sherd_mpm_glues_advance(sherd_mpm_glues *g, const sherd_mpm_grid *grid,
                               const sherd_parallel *parallel, double dt, double way)
{
    double gone = sherd_mpm_glues_move(g, grid, parallel, dt, way);
    if (g->softening > 0) sherd_mpm_glues_count(g);
    return gone;
}
