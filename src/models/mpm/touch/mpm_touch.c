#include "models/mpm/touch/mpm_touch.h"

#include "base/memory.h"
#include "models/mpm/touch/mpm_touch_find.h"

#include <math.h>
#include <string.h>

enum { AXES = 3, TOUCHES_PER_CHUNK = 64 };

// Of the normal stiffness.
static const double ALONG = 0.5;

static double dot(const double a[AXES], const double b[AXES])
{
    return a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
}

bool sherd_mpm_has_skin(const sherd_solid *solid)
{
    return solid->kind == SHERD_SOLID_COROTATED || solid->kind == SHERD_SOLID_NEO_HOOKEAN ||
           solid->kind == SHERD_SOLID_HENCKY;
}

void sherd_mpm_touches_free(sherd_mpm_touches *t)
{
    sherd_mpm_skin_free(&t->skin), sherd_mpm_near_free(&t->near);
    sherd_free(t->springs), sherd_free(t->list), sherd_free(t->cubes);
    *t = (sherd_mpm_touches){0};
}

size_t sherd_mpm_touches_bytes(const sherd_mpm_touches *t)
{
    const sherd_mpm_skin *s = &t->skin;
    return s->count * (sizeof *s->sites + sizeof *s->faces + sizeof *s->samples) +
           s->numbers * (sizeof *s->place + sizeof *s->site_of) +
           t->near.room * sizeof *t->near.list + t->near.other_room * sizeof *t->near.others +
           t->room * sizeof *t->springs + t->touch_room * sizeof *t->list +
           t->cube_room * sizeof *t->cubes;
}

// ---------------------------------------------------------------- springs

// Half k e^2 and the same along the face.
static double stored_in(const sherd_mpm_touch *touch)
{
    return 0.5 * touch->stiffness *
           (touch->overlap * touch->overlap + ALONG * dot(touch->slip, touch->slip));
}

static void force_of(const sherd_mpm_touch *touch, double force[AXES])
{
    for (int k = 0; k < AXES; ++k)
        force[k] = touch->stiffness * (touch->overlap * touch->normal[k] - ALONG * touch->slip[k]);
}

// Where a side's points are pressed: half of what lies behind its face.
static void place_inside(const sherd_mpm_touch *touch, int side, double from[AXES])
{
    double sign = side == 0 ? 1.0 : -1.0;
    for (int k = 0; k < AXES; ++k)
        from[k] = touch->side[side].to[k] + sign * touch->side[side].depth * touch->normal[k];
}

// ---------------------------------------------------------------- nodes

// The nodes of a point: its weights along the axes, and where the first of them is.
typedef struct stencil {
    int nodes, first[AXES];                      // in the page's tile
    double w[AXES][SHERD_MPM_REACH], from[AXES]; // to the first node [m]
    double h, slope;                             // q [1/m^2]
    const sherd_mpm_page *page;
} stencil;

static stencil stencil_of(const sherd_mpm_touch_def *def, const sherd_mpm_touch_side *side)
{
    const sherd_mpm_grid *g = def->grid;
    stencil s = {.nodes = (int)g->kernel, .h = g->h, .page = &g->pages[side->page]};
    s.slope = (g->kernel == SHERD_MPM_CUBIC ? 3.0 : 4.0) / (g->h * g->h);
    for (int k = 0; k < AXES; ++k) {
        double x = def->points->x[k][side->place];
        int64_t first = sherd_mpm_weigh(g, x, s.w[k]);
        s.first[k] = (int)(first + 1 - SHERD_MPM_SIDE * (int64_t)s.page->block[k]);
        s.from[k] = g->h * (double)first - x;
    }
    return s;
}

static int node_at(const stencil *s, int x, int y, int z, int32_t *layer)
{
    int tx = s->first[0] + x, ty = s->first[1] + y, tz = s->first[2] + z;
    *layer = s->page->layer[(tx >> 2) | (ty >> 2) << 1 | (tz >> 2) << 2];
    return ((tz & 3) * SHERD_MPM_SIDE + (ty & 3)) * SHERD_MPM_SIDE + (tx & 3);
}

// Adds sum w (F + q M r) to loads, r from the point to nodes.
static void push(const sherd_mpm_touch_def *def, const sherd_mpm_touch_side *side,
                 const double f[AXES], double m[AXES][AXES])
{
    stencil s = stencil_of(def, side);
    for (int z = 0; z < s.nodes; ++z)
        for (int y = 0; y < s.nodes; ++y) {
            double wyz = s.w[1][y] * s.w[2][z], row[AXES];
            double ry = s.from[1] + s.h * y, rz = s.from[2] + s.h * z;
            for (int k = 0; k < AXES; ++k)
                row[k] = f[k] + s.slope * (m[k][1] * ry + m[k][2] * rz);
            for (int x = 0; x < s.nodes; ++x) {
                int32_t layer;
                int node = node_at(&s, x, y, z, &layer);
                double w = wyz * s.w[0][x], rx = s.slope * (s.from[0] + s.h * x);
                double *load = def->grid->loads[layer].node[node][1];
                for (int k = 0; k < AXES; ++k)
                    load[k] += w * (row[k] + m[k][0] * rx);
            }
        }
}

// A linear field.
typedef struct flow {
    double v[AXES], l[AXES][AXES]; // [m/s], [1/s]
} flow;

static flow flow_at(const sherd_mpm_touch_def *def, const sherd_mpm_touch_side *side)
{
    stencil s = stencil_of(def, side);
    flow out = {{0.0}, {{0.0}}};
    for (int z = 0; z < s.nodes; ++z)
        for (int y = 0; y < s.nodes; ++y) {
            double row[AXES] = {0.0}, first[AXES] = {0.0}, wyz = s.w[1][y] * s.w[2][z];
            for (int x = 0; x < s.nodes; ++x) {
                int32_t layer;
                int node = node_at(&s, x, y, z, &layer);
                const double *v = def->grid->motion[layer].node[node][0];
                double rx = s.from[0] + s.h * x;
                for (int k = 0; k < AXES; ++k)
                    row[k] += s.w[0][x] * v[k], first[k] += s.w[0][x] * rx * v[k];
            }
            for (int k = 0; k < AXES; ++k) {
                out.v[k] += wyz * row[k];
                out.l[k][0] += wyz * first[k];
                out.l[k][1] += wyz * (s.from[1] + s.h * y) * row[k];
                out.l[k][2] += wyz * (s.from[2] + s.h * z) * row[k];
            }
        }
    for (int k = 0; k < AXES; ++k)
        for (int i = 0; i < AXES; ++i)
            out.l[k][i] *= s.slope;
    return out;
}

static void velocity_at(const flow *of, const double to[AXES], double v[AXES])
{
    for (int k = 0; k < AXES; ++k)
        v[k] = of->v[k] + dot(of->l[k], to);
}

// ---------------------------------------------------------------- loads

static void load_side(const sherd_mpm_touch_def *def, const sherd_mpm_touch *touch, int side)
{
    double inside[AXES], f[AXES], m[AXES][AXES], sign = side == 0 ? def->kick : -def->kick,
                                                 press = touch->stiffness * touch->overlap;
    place_inside(touch, side, inside);
    for (int k = 0; k < AXES; ++k) {
        double pressed = sign * press * touch->normal[k],
               dragged = -sign * touch->stiffness * ALONG * touch->slip[k];
        f[k] = pressed + dragged;
        for (int i = 0; i < AXES; ++i)
            m[k][i] = pressed * inside[i] + dragged * touch->side[side].to[i];
    }
    push(def, &touch->side[side], f, m);
}

static bool is_wall(const sherd_mpm_touch *touch)
{
    return (touch->partner & SHERD_MPM_NEAR_WALL) != 0;
}

// In the order of springs, whatever the number of threads.
bool sherd_mpm_touches_load(sherd_mpm_touches *t, const sherd_mpm_touch_def *def,
                            sherd_mpm_touch_losses *losses)
{
    double before = t->energy, after = 0.0;
    if (!sherd_mpm_touches_find(t, def)) return false;
    for (size_t k = 0; k < t->touch_count; ++k) {
        const sherd_mpm_touch *touch = &t->list[k];
        if (!(touch->overlap > 0.0)) continue;
        after += touch->energy;
        load_side(def, touch, 0);
        if (!is_wall(touch)) load_side(def, touch, 1);
    }
    losses->contact += before - after;
    return true;
}

// ---------------------------------------------------------------- motion

typedef struct job {
    sherd_mpm_touches *touches;
    const sherd_mpm_touch_def *def;
} job;

// Of the sample's body over the partner.
static void relative(const sherd_mpm_touch_def *def, const sherd_mpm_touch *touch,
                     double inside[AXES], double along[AXES], double wall[AXES])
{
    double deep[AXES], v[2][AXES], u[2][AXES];
    for (int side = 0; side < 2; ++side) {
        if (side == 1 && is_wall(touch)) {
            const sherd_mpm_wall *w =
                &def->grid->walls->list[touch->partner & ~(uint32_t)SHERD_MPM_NEAR_WALL];
            w->velocity(w->context, touch->at, wall);
            memcpy(v[1], wall, sizeof v[1]), memcpy(u[1], wall, sizeof u[1]);
            continue;
        }
        flow f = flow_at(def, &touch->side[side]);
        place_inside(touch, side, deep);
        velocity_at(&f, deep, v[side]), velocity_at(&f, touch->side[side].to, u[side]);
    }
    for (int k = 0; k < AXES; ++k)
        inside[k] = v[0][k] - v[1][k], along[k] = u[0][k] - u[1][k];
}

// Along the normal: what approach does, and what becomes of it. Sets the loss. Returns what steps of finite length hold
// besides the energy stored (move_one).
static double press(sherd_mpm_touch *touch, double approach)
{
    double before = touch->overlap;
    if (before > 0.0)
        touch->overlap = fmax(0.0, before + approach);
    else
        touch->overlap = fmax(0.0, approach - fmax(0.0, touch->gap));
    if (!(before > 0.0 || touch->overlap > 0.0)) return 0.0;
    double after = touch->overlap, work = 0.5 * touch->stiffness * (before + after) * approach;
    touch->lost[0] = work - 0.5 * touch->stiffness * (after * after - before * before);
    return 0.5 * touch->stiffness * (after - before) * approach;
}

// Along the face, by a way across the normal.
static double drag(sherd_mpm_touch *touch, const double way[AXES])
{
    double stiffness = ALONG * touch->stiffness, before[AXES], work = 0.0, beside = 0.0;
    memcpy(before, touch->slip, sizeof before);
    for (int k = 0; k < AXES; ++k)
        touch->slip[k] += way[k];
    double size = ALONG * sqrt(dot(touch->slip, touch->slip)),
           most = touch->friction * touch->overlap, share = size > most ? most / size : 1.0;
    for (int k = 0; k < AXES; ++k) {
        touch->slip[k] *= share;
        work += 0.5 * stiffness * (before[k] + touch->slip[k]) * way[k];
        beside += 0.5 * stiffness * (touch->slip[k] - before[k]) * way[k];
    }
    touch->lost[1] = work - 0.5 * stiffness * (dot(touch->slip, touch->slip) - dot(before, before));
    return beside;
}

// Sets the spring as it is after the step, and what it took. With velocities half a step behind, K + V + 1/2 sum J . v is
// conserved (mpm.h), J being the next impulses, where accounts have the last ones: of a spring V is less by
// 1/2 (f' - f) . way, f and f' its forces before and after.
static void move_one(const sherd_mpm_touch_def *def, sherd_mpm_touch *touch)
{
    double inside[AXES], along[AXES], wall[AXES] = {0.0}, before[AXES], after[AXES], way[AXES];
    relative(def, touch, inside, along, wall);
    double normal = dot(along, touch->normal);
    for (int k = 0; k < AXES; ++k)
        way[k] = def->dt * (along[k] - normal * touch->normal[k]);
    force_of(touch, before);
    double beside = press(touch, -def->dt * dot(inside, touch->normal));
    beside += drag(touch, way);
    force_of(touch, after);
    touch->energy = stored_in(touch) - beside;
    for (int k = 0; k < AXES; ++k) {
        touch->lost[2] += 0.5 * def->dt * (before[k] + after[k]) * wall[k];
        touch->force[k] = before[k];
    }
}

static void move_range(void *context, size_t begin, size_t end)
{
    const job *j = context;
    for (size_t k = begin; k < end; ++k)
        move_one(j->def, &j->touches->list[k]);
}

static void react(const sherd_mpm_touch_def *def, const sherd_mpm_touch *touch)
{
    sherd_mpm_reaction *r =
        &def->grid->walls->reaction[touch->partner & ~(uint32_t)SHERD_MPM_NEAR_WALL];
    for (int k = 0; k < AXES; ++k) {
        int next = (k + 1) % AXES, last = (k + 2) % AXES;
        r->impulse[k] -= def->kick * touch->force[k];
        r->moment[k] -= def->kick * (touch->at[next] * touch->force[last] -
                                     touch->at[last] * touch->force[next]);
    }
}

static bool keep(sherd_mpm_touches *t, const sherd_mpm_touch *touch)
{
    if (!sherd_grow((void **)&t->springs, &t->room, t->count + 1, sizeof *t->springs)) return false;
    sherd_mpm_spring *s = &t->springs[t->count++];
    s->sample = touch->sample, s->partner = touch->partner, s->overlap = touch->overlap;
    memcpy(s->normal, touch->normal, sizeof s->normal),
        memcpy(s->slip, touch->slip, sizeof s->slip);
    s->stiffness = touch->stiffness, s->energy = touch->energy;
    t->energy += s->energy;
    return true;
}

bool sherd_mpm_touches_move(sherd_mpm_touches *t, const sherd_mpm_touch_def *def,
                            sherd_mpm_touch_losses *losses)
{
    job j = {t, def};
    sherd_parallel_for(&def->parallel, t->touch_count, TOUCHES_PER_CHUNK, move_range, &j);
    t->count = 0, t->energy = 0.0;
    for (size_t k = 0; k < t->touch_count; ++k) {
        const sherd_mpm_touch *touch = &t->list[k];
        losses->contact += touch->lost[0], losses->friction += touch->lost[1];
        losses->work += touch->lost[2];
        if (is_wall(touch)) react(def, touch);
        if (touch->overlap > 0.0 && !keep(t, touch)) return false;
    }
    return true;
}
