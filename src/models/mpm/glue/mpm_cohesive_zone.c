#include "models/mpm/glue/mpm_cohesive_zone.h"

#include "base/memory.h"
#include "models/mpm/grid/mpm_axes.h"

#include <math.h>

enum {
    AXES = 3,
    GLUE_PER_CHUNK = 64,
    REACHED = SHERD_MPM_REACH * SHERD_MPM_REACH * SHERD_MPM_REACH
};

static const double MIN_SPREAD = 1e-3; // of nodes about their mean, squared [h^2]

double sherd_mpm_cohesion_stored(const sherd_mpm_glues *g)
{
    double sum = 0.0;
    for (size_t k = 0; k < g->count && g->softening > 0; ++k) {
        const sherd_mpm_glue *glue = &g->items[k];
        if (sherd_mpm_glue_softens(glue))
            sum += 0.5 * glue->area *
                   (sherd_axes_dot(glue->traction, glue->gap) +
                    sherd_axes_dot(glue->traction, glue->shift));
    }
    return sum;
}

double sherd_mpm_cohesion_lent(const sherd_mpm_glues *g)
{
    double sum = 0.0;
    for (size_t k = 0; k < g->count && g->softening > 0; ++k) {
        const sherd_mpm_glue *glue = &g->items[k];
        if (sherd_mpm_glue_softens(glue))
            sum += 0.5 * glue->area * glue->start * glue->start / glue->stiffness *
                   (1.0 - glue->damage);
    }
    return sum;
}

// ---------------------------------------------------------------- sides

// Nodes of a piece about the place of its side, and the share that each has in it.
typedef struct side {
    int count; // 0: the piece is out of reach
    struct {
        int32_t layer, node;
        double share, slope[AXES]; // of what nodes have, at the place [1], [1/m]
    } at[REACHED];
} side;

static void place_of(const sherd_mpm_glue *glue, int which, double x[AXES])
{
    for (int k = 0; k < AXES; ++k)
        x[k] = glue->x[k] + (which == 0 ? -0.5 : 0.5) * glue->gap[k];
}

// `slope` holds nodes' places about x, `share` their mass times weight.
static void list_nodes(const sherd_mpm_grid *grid, const double x[AXES], uint32_t piece, side *s)
{
    double w[AXES][SHERD_MPM_REACH];
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
        if (layer[of] < 0 || (grid->layers[layer[of]].rows >> node / SHERD_MPM_SIDE & 1) == 0)
            continue;
        double mass = grid->loads[layer[of]].node[node][0][0];
        if (!(mass > 0.0)) continue;
        s->at[s->count].layer = layer[of], s->at[s->count].node = node;
        s->at[s->count].share = mass * w[0][at[0]] * w[1][at[1]] * w[2][at[2]];
        for (int k = 0; k < AXES; ++k)
            s->at[s->count].slope[k] = grid->h * (double)(first[k] + at[k]) - x[k];
        ++s->count;
    }
}

// The inverse of a symmetric matrix that is positive definite: cofactors over the determinant.
static void invert(double m[AXES][AXES], double out[AXES][AXES])
{
    double determinant = 0.0;
    for (int i = 0; i < AXES; ++i)
        for (int k = 0; k < AXES; ++k) {
            int i1 = (i + 1) % AXES, i2 = (i + 2) % AXES, k1 = (k + 1) % AXES, k2 = (k + 2) % AXES;
            out[i][k] = m[i1][k1] * m[i2][k2] - m[i1][k2] * m[i2][k1];
        }
    for (int k = 0; k < AXES; ++k)
        determinant += m[0][k] * out[0][k];
    for (int i = 0; i < AXES; ++i)
        for (int k = 0; k < AXES; ++k)
            out[i][k] /= determinant;
}

// Shares s (1 + v^-1 (0 - c) (r - c)), c the mean of nodes and v their spread: linear fields are
// met exactly.
static void share_out(double h, side *s)
{
    double total = 0.0, mean[AXES] = {0.0}, spread[AXES][AXES] = {{0.0}}, inverse[AXES][AXES];
    for (int n = 0; n < s->count; ++n) {
        total += s->at[n].share;
        for (int k = 0; k < AXES; ++k)
            mean[k] += s->at[n].share * s->at[n].slope[k];
    }
    if (!(total > 0.0)) s->count = 0;
    for (int k = 0; k < AXES && s->count > 0; ++k)
        mean[k] /= total;
    for (int n = 0; n < s->count; ++n) {
        s->at[n].share /= total;
        for (int k = 0; k < AXES; ++k)
            s->at[n].slope[k] -= mean[k];
        for (int i = 0; i < AXES; ++i)
            for (int k = 0; k < AXES; ++k)
                spread[i][k] += s->at[n].share * s->at[n].slope[i] * s->at[n].slope[k];
    }
    for (int k = 0; k < AXES; ++k)
        spread[k][k] += MIN_SPREAD * h * h;
    invert(spread, inverse);
    for (int n = 0; n < s->count; ++n) {
        double slope[AXES];
        for (int k = 0; k < AXES; ++k)
            slope[k] = s->at[n].share * sherd_axes_dot(inverse[k], s->at[n].slope);
        s->at[n].share -= sherd_axes_dot(slope, mean);
        for (int k = 0; k < AXES; ++k)
            s->at[n].slope[k] = slope[k];
    }
}

static void find_side(const sherd_mpm_grid *grid, const sherd_mpm_glue *glue, int which, side *s)
{
    double x[AXES];
    place_of(glue, which, x);
    list_nodes(grid, x, which == 0 ? glue->a : glue->b, s);
    share_out(grid->h, s);
}

// ---------------------------------------------------------------- loads

typedef struct job {
    sherd_mpm_glues *g;
    const sherd_mpm_grid *grid;
    const size_t *soft; // glue that softens
    side (*sides)[2];
    double *work;
    double dt, time;
} job;

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
            find_side(j->grid, &j->g->items[j->soft[n]], which, &j->sides[n][which]);
}

static void add_loads(const sherd_mpm_glue *glue, const side sides[2], sherd_mpm_grid *grid,
                      double kick)
{
    for (int which = 0; which < 2; ++which) {
        double impulse = (which == 0 ? kick : -kick) * glue->area;
        for (int n = 0; n < sides[which].count; ++n) {
            double *load = grid->loads[sides[which].at[n].layer].node[sides[which].at[n].node][1];
            for (int k = 0; k < AXES; ++k)
                load[k] += impulse * sides[which].at[n].share * glue->traction[k];
        }
    }
}

// In the order of glue, whatever the number of threads. Adds the impulses of glue that softens,
// `kick` [s] long, to the loads of both pieces. False: memory is short.
static bool load_softening(const sherd_mpm_glues *g, sherd_mpm_grid *grid,
                           const sherd_parallel *parallel, double kick)
{
    if (g->softening == 0) return true;
    size_t *soft = sherd_alloc(g->softening, sizeof *soft);
    side(*sides)[2] = sherd_alloc(g->softening, sizeof *sides);
    bool ok = soft != NULL && sides != NULL;
    if (ok) {
        size_t count = list_soft(g, soft);
        job j = {.g = (sherd_mpm_glues *)(uintptr_t)g, .grid = grid, .soft = soft, .sides = sides};
        sherd_parallel_for(parallel, count, GLUE_PER_CHUNK, find_range, &j);
        for (size_t n = 0; n < count; ++n)
            if (sides[n][0].count > 0 && sides[n][1].count > 0)
                add_loads(&g->items[soft[n]], sides[n], grid, kick);
    }
    sherd_free(soft), sherd_free(sides);
    return ok;
}

// ---------------------------------------------------------------- motion

typedef struct motion {
    double v[AXES], l[AXES][AXES]; // [m/s], [1/s]
} motion;

static motion motion_of(const sherd_mpm_grid *grid, const side *s)
{
    motion m = {{0.0}, {{0.0}}};
    for (int n = 0; n < s->count; ++n) {
        const double *v = grid->motion[s->at[n].layer].node[s->at[n].node][0];
        for (int i = 0; i < AXES; ++i) {
            m.v[i] += s->at[n].share * v[i];
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
    double most = 0.0, before[AXES];
    for (int which = 0; which < 2; ++which) {
        find_side(j->grid, glue, which, &s);
        m[which] = motion_of(j->grid, &s);
        if (s.count == 0) { // far beyond what it was made for: nothing is left to pull
            glue->damage = 1.0, glue->broken_at = j->time;
            return 0.0;
        }
    }
    for (int k = 0; k < AXES; ++k) {
        before[k] = glue->traction[k];
        glue->x[k] += 0.5 * j->dt * (m[0].v[k] + m[1].v[k]);
        glue->gap[k] += j->dt * (m[1].v[k] - m[0].v[k]);
        most = fmax(most, fmax(fabs(m[0].v[k]), fabs(m[1].v[k])));
    }
    turn(glue->normal, j->dt, m), turn(glue->shift, j->dt, m);
    sherd_mpm_glue_open(glue, j->time);
    for (int k = 0; k < AXES; ++k) {
        double after = glue->damage < 1.0 ? glue->traction[k] : 0.0;
        j->work[n] += 0.5 * glue->area * (before[k] + after) * j->dt * (m[1].v[k] - m[0].v[k]);
    }
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

// Moves and opens glue that softens by the layers' motion; what has parted is broken at `time`.
// Returns the largest component of a side's velocity [m/s], -1 when memory is short; `work` is what
// was done on glue [J].
static double open_softening(sherd_mpm_glues *g, const sherd_mpm_grid *grid,
                             const sherd_parallel *parallel, double dt, double time, double *work)
{
    double most = -1.0;
    size_t *soft = sherd_alloc(g->softening, sizeof *soft);
    job j = {g, grid, soft, NULL, sherd_alloc(g->softening, sizeof *j.work), dt, time};
    *work = 0.0;
    if (soft != NULL && j.work != NULL) {
        size_t count = list_soft(g, soft);
        most = sherd_parallel_max(parallel, count, GLUE_PER_CHUNK, open_range, &j);
        for (size_t n = 0; n < count; ++n)
            *work += j.work[n];
    }
    sherd_free(soft), sherd_free(j.work);
    return most;
}

// ---------------------------------------------------------------- stages of a step

bool sherd_mpm_glues_load(sherd_mpm_glues *g, sherd_mpm_grid *grid, const sherd_parallel *parallel,
                          double time, double kick)
{
    if (sherd_mpm_glues_due(g)) sherd_mpm_glues_test_stress(g, grid, parallel, time);
    if (!load_softening(g, grid, parallel, kick)) return false;
    if (g->broken < g->count) sherd_mpm_glues_join(g, grid, parallel);
    return true;
}

bool sherd_mpm_glues_advance(sherd_mpm_glues *g, const sherd_mpm_grid *grid,
                             const sherd_parallel *parallel, double dt, double time,
                             sherd_mpm_glue_motion *out)
{
    double work;
    out->way = sherd_mpm_glues_move(g, grid, parallel, dt, out->way);
    out->work = 0.0;
    if (g->softening == 0) return true;
    double speed = open_softening(g, grid, parallel, dt, time, &work);
    out->work = work;
    out->way = fmax(out->way, dt * speed);
    sherd_mpm_glues_count(g);
    return speed >= 0.0;
}
