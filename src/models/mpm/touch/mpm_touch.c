#include "models/mpm/touch/mpm_touch.h"

#include "base/memory.h"
#include "models/mpm/mpm_axes.h"
#include "models/mpm/touch/mpm_touch_law.h"
#include "models/mpm/touch/mpm_touch_nodes.h"

#include <math.h>
#include <string.h>

enum { AXES = 3, TOUCHES_PER_CHUNK = 64 };

bool sherd_mpm_has_skin(const sherd_solid *solid)
{
    return solid->kind == SHERD_SOLID_COROTATED || solid->kind == SHERD_SOLID_NEO_HOOKEAN ||
           solid->kind == SHERD_SOLID_HENCKY;
}

void sherd_mpm_touches_free(sherd_mpm_touches *t)
{
    sherd_mpm_skin_free(&t->skin), sherd_mpm_near_free(&t->near);
    sherd_free(t->springs), sherd_free(t->list), sherd_free(t->cubes), sherd_free(t->faced);
    *t = (sherd_mpm_touches){0};
}

size_t sherd_mpm_touches_bytes(const sherd_mpm_touches *t)
{
    const sherd_mpm_skin *s = &t->skin;
    return s->count * (sizeof *s->sites + sizeof *s->faces + sizeof *s->samples) +
           s->numbers * (sizeof *s->place + sizeof *s->site_of) +
           t->near.room * sizeof *t->near.list + t->near.other_room * sizeof *t->near.others +
           t->near.guest_room * sizeof *t->near.first_of_guest +
           t->near.of_guest_room * sizeof *t->near.of_guests +
           t->near.edge_room * sizeof *t->near.edges +
           t->near.of_edge_room * sizeof *t->near.of_edges + t->room * sizeof *t->springs +
           t->touch_room * sizeof *t->list + t->cube_room * sizeof *t->cubes +
           t->faced_room * sizeof *t->faced;
}

typedef struct job {
    sherd_mpm_touches *touches;
    const sherd_mpm_touch_def *def;
} job;

// ---------------------------------------------------------------- loads

// Velocities that points of a guest's spring go on with while it moves.
static void note_velocities(void *context, size_t begin, size_t end)
{
    const job *j = context;
    for (size_t k = begin; k < end; ++k) {
        sherd_mpm_touch *touch = &j->touches->list[k];
        int side = sherd_mpm_touch_is_ball(touch);
        if (touch->guest >= 0)
            sherd_mpm_touch_velocities(j->def, touch, side, SHERD_BEFORE, touch->inside,
                                       touch->along);
    }
}

// In the order of springs, whatever the number of threads.
bool sherd_mpm_touches_load(sherd_mpm_touches *t, const sherd_mpm_touch_def *def,
                            sherd_mpm_touch_losses *losses)
{
    double before = t->energy, after = 0.0;
    job j = {t, def};
    if (!sherd_mpm_touches_find(t, def)) return false;
    sherd_parallel_for(&def->parallel, t->touch_count, TOUCHES_PER_CHUNK, note_velocities, &j);
    for (size_t k = 0; k < t->touch_count; ++k) {
        sherd_mpm_touch *touch = &t->list[k];
        if (!(touch->overlap > 0.0)) continue;
        double impulse[AXES];
        after += touch->energy;
        sherd_mpm_touch_force(touch, impulse);
        memcpy(touch->force, impulse, sizeof impulse);
        for (int i = 0; i < AXES; ++i)
            impulse[i] *= def->kick;
        if (touch->guest >= 0) { // its steps come first
            losses->transfer +=
                0.5 * sherd_mpm_touch_give(def, touch, sherd_mpm_touch_is_ball(touch), impulse,
                                           SHERD_TO_NOTHING);
            continue;
        }
        for (int side = 0; side < (sherd_mpm_touch_is_wall(touch) ? 1 : 2); ++side) {
            sherd_mpm_touch_give(def, touch, side, impulse, SHERD_TO_LOADS);
            losses->transfer += 0.5 * sherd_mpm_touch_carried(def, touch, side, impulse);
        }
    }
    losses->contact += before - after;
    return true;
}

// ---------------------------------------------------------------- guests

// Points go on with the velocities of the step before.
static void pull_one(const sherd_mpm_touch_def *def, sherd_mpm_touch *touch, double dt)
{
    sherd_mpm_guest *g = &def->guests->list[touch->guest];
    double arm[AXES], deep[AXES], across[AXES], own[AXES], from[AXES], before[AXES], after[AXES],
        sign = sherd_mpm_touch_is_ball(touch) ? 1.0 : -1.0,
        gone = def->guests->elapsed - touch->elapsed;
    for (int k = 0; k < AXES; ++k)
        arm[k] = touch->at[k] - g->centre[k];
    for (int k = 0; k < AXES; ++k) {
        double now = g->way[k] + sherd_axes_dot(g->turn[k], arm);
        from[k] = arm[k] + now - g->way[k]; // from where the centre is now
        own[k] = sign * (now - touch->way[k]);
        deep[k] = own[k] - sign * gone * touch->inside[k];
        across[k] = own[k] - sign * gone * touch->along[k];
        touch->way[k] = now;
    }
    touch->elapsed = def->guests->elapsed;
    sherd_mpm_touch_force(touch, before);
    sherd_mpm_touch_follow(touch, deep, across);
    sherd_mpm_touch_force(touch, after);
    for (int k = 0; k < AXES; ++k) {
        touch->lost[2] -= 0.5 * (before[k] + after[k]) * own[k];
        touch->impulse[k] += dt * after[k], after[k] *= sign * dt;
    }
    for (int k = 0; k < AXES; ++k) {
        int next = (k + 1) % AXES, last = (k + 2) % AXES;
        g->push[k] += after[k];
        g->twist[k] += from[next] * after[last] - from[last] * after[next];
    }
}

void sherd_mpm_touches_pull(sherd_mpm_touches *t, const sherd_mpm_touch_def *def, double dt)
{
    for (size_t k = 0; k < t->touch_count; ++k)
        if (t->list[k].guest >= 0) pull_one(def, &t->list[k], dt);
}

// Guests take a spring's force on points from f to f', while these go on as they did; they get the mean of both in one kick,
// from v to u, where K + V + 1/2 sum J . v is that of constant ones: it loses 1/4 dt (f' - f) . (u - v).
static double left_between(const sherd_mpm_touch_def *def, const sherd_mpm_touch *touch)
{
    double more[AXES];
    sherd_mpm_touch_force(touch, more);
    for (int k = 0; k < AXES; ++k)
        more[k] = 0.25 * def->dt * (more[k] - touch->force[k]);
    return sherd_mpm_touch_give(def, touch, sherd_mpm_touch_is_ball(touch), more, SHERD_TO_NOTHING);
}

void sherd_mpm_touches_answer(const sherd_mpm_touches *t, const sherd_mpm_touch_def *def,
                              sherd_mpm_touch_losses *losses)
{
    for (size_t k = 0; k < t->touch_count; ++k) {
        const sherd_mpm_touch *touch = &t->list[k];
        if (touch->guest >= 0 && sherd_axes_dot(touch->impulse, touch->impulse) > 0.0)
            sherd_mpm_touch_give(def, touch, sherd_mpm_touch_is_ball(touch), touch->impulse,
                                 SHERD_TO_MOTION);
    }
    for (size_t k = 0; k < t->touch_count && def->glue != NULL; ++k)
        if (t->list[k].guest >= 0)
            losses->transfer +=
                sherd_mpm_touch_join(def, &t->list[k].side[sherd_mpm_touch_is_ball(&t->list[k])]);
    for (size_t k = 0; k < t->touch_count; ++k)
        if (t->list[k].guest >= 0) losses->transfer += left_between(def, &t->list[k]);
}

// ---------------------------------------------------------------- motion

// Of the sample's body over the partner; of guests, which have moved already, nothing.
static void relative(const sherd_mpm_touch_def *def, const sherd_mpm_touch *touch,
                     double inside[AXES], double along[AXES], double wall[AXES])
{
    double v[2][AXES] = {{0.0}}, u[2][AXES] = {{0.0}};
    for (int side = 0; side < 2; ++side) {
        if (touch->guest >= 0 && side == (sherd_mpm_touch_is_ball(touch) ? 0 : 1)) continue;
        if (side == 1 && sherd_mpm_touch_is_wall(touch)) {
            const sherd_mpm_wall *w = &def->grid->walls->list[touch->wall];
            w->velocity(w->context, touch->at, wall);
            memcpy(v[1], wall, sizeof v[1]), memcpy(u[1], wall, sizeof u[1]);
            continue;
        }
        sherd_mpm_touch_velocities(def, touch, side, SHERD_NOW, v[side], u[side]);
    }
    for (int k = 0; k < AXES; ++k)
        inside[k] = def->dt * (v[0][k] - v[1][k]), along[k] = def->dt * (u[0][k] - u[1][k]);
}

// With velocities half a step behind, K + V + 1/2 sum J . v is conserved (mpm.h), J being the next impulses, where accounts
// have the last ones: of a spring V is more by 1/2 (f' - f) . way, f and f' its forces before and after.
static void move_points(const sherd_mpm_touch_def *def, sherd_mpm_touch *touch)
{
    double inside[AXES], along[AXES], wall[AXES] = {0.0}, before[AXES], after[AXES], more[AXES];
    relative(def, touch, inside, along, wall);
    sherd_mpm_touch_force(touch, before);
    sherd_mpm_touch_follow(touch, inside, along);
    touch->overlap = fmax(touch->overlap, 0.0);
    sherd_mpm_touch_force(touch, after);
    for (int k = 0; k < AXES; ++k) {
        more[k] = after[k] - before[k];
        touch->lost[2] += 0.5 * def->dt * (before[k] + after[k]) * wall[k];
    }
    touch->energy =
        sherd_mpm_touch_stored(touch) + 0.5 * sherd_mpm_touch_along(touch, more, inside, along);
}

// Beside a guest, which has moved. Of what points have become faster it is half a step: they get in one kick at the begin what
// acts over the step. V is counted from the velocities that springs go on with.
static void move_beside_guest(const sherd_mpm_touch_def *def, sherd_mpm_touch *touch)
{
    double inside[AXES], along[AXES], wall[AXES], deep[AXES], across[AXES], last[AXES],
        sign = sherd_mpm_touch_is_ball(touch) ? 1.0 : -1.0;
    relative(def, touch, inside, along, wall);
    for (int k = 0; k < AXES; ++k) {
        deep[k] = 0.5 * (inside[k] + sign * def->dt * touch->inside[k]);
        across[k] = 0.5 * (along[k] + sign * def->dt * touch->along[k]);
        last[k] = touch->impulse[k] / def->dt;
    }
    sherd_mpm_touch_follow(touch, deep, across);
    touch->overlap = fmax(touch->overlap, 0.0);
    touch->energy =
        sherd_mpm_touch_stored(touch) - 0.5 * sherd_mpm_touch_along(touch, last, inside, along);
}

static void move_range(void *context, size_t begin, size_t end)
{
    const job *j = context;
    for (size_t k = begin; k < end; ++k)
        if (j->touches->list[k].guest >= 0)
            move_beside_guest(j->def, &j->touches->list[k]);
        else
            move_points(j->def, &j->touches->list[k]);
}

static void react(const sherd_mpm_touch_def *def, const sherd_mpm_touch *touch)
{
    sherd_mpm_reaction *r = &def->grid->walls->reaction[touch->wall];
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
    s->sample = touch->sample, s->partner = touch->partner, s->face = touch->face;
    s->overlap = touch->overlap;
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
        *(touch->guest >= 0 ? &losses->guests : &losses->work) += touch->lost[2];
        if (sherd_mpm_touch_is_wall(touch)) react(def, touch);
        if (touch->overlap > 0.0 && !keep(t, touch)) return false;
    }
    return true;
}
