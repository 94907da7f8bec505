#include "models/mpm/surface/mpm_penalty_contact.h"

#include "base/assertion.h"
#include "base/memory.h"
#include "models/mpm/grid/mpm_axes.h"
#include "models/mpm/surface/mpm_penalty_law.h"
#include "models/mpm/surface/mpm_penalty_nodes.h"

#include <math.h>
#include <string.h>

enum { AXES = 3, CONTACTS_PER_CHUNK = 64 };

bool sherd_mpm_has_body_surface(const sherd_solid *solid)
{
    return solid->kind == SHERD_SOLID_COROTATED || solid->kind == SHERD_SOLID_NEO_HOOKEAN ||
           solid->kind == SHERD_SOLID_HENCKY || solid->kind == SHERD_SOLID_PHASE_FIELD;
}

void sherd_mpm_penalty_free(sherd_mpm_penalty_contacts *t)
{
    sherd_mpm_body_surface_free(&t->surface), sherd_mpm_candidates_free(&t->candidates);
    sherd_free(t->springs), sherd_free(t->list), sherd_free(t->cubes), sherd_free(t->faced);
    *t = (sherd_mpm_penalty_contacts){0};
}

void sherd_mpm_penalty_sort(sherd_mpm_penalty_contacts *t, const sherd_mpm_points *points)
{
    if (t->surface.count > 0) sherd_mpm_body_surface_sort(&t->surface, points);
    t->candidates.made = false;
}

size_t sherd_mpm_penalty_bytes(const sherd_mpm_penalty_contacts *t)
{
    const sherd_mpm_body_surface *s = &t->surface;
    return s->count * (sizeof *s->sites + sizeof *s->faces + sizeof *s->samples) +
           s->numbers * (sizeof *s->place + sizeof *s->site_of) +
           t->candidates.room * sizeof *t->candidates.list +
           t->candidates.other_room * sizeof *t->candidates.others +
           t->candidates.coupled_room * sizeof *t->candidates.first_of_coupled +
           t->candidates.of_coupled_room * sizeof *t->candidates.of_coupled +
           t->candidates.edge_room * sizeof *t->candidates.edges +
           t->candidates.of_edge_room * sizeof *t->candidates.of_edges +
           t->room * sizeof *t->springs + t->contact_room * sizeof *t->list +
           t->cube_room * sizeof *t->cubes + t->faced_room * sizeof *t->faced;
}

typedef struct job {
    sherd_mpm_penalty_contacts *penalty;
    const sherd_mpm_penalty_def *def;
} job;

// ---------------------------------------------------------------- loads

// Stores the velocities that points continue with while a coupled body takes its own steps.
static void note_velocities(void *context, size_t begin, size_t end)
{
    const job *j = context;
    for (size_t k = begin; k < end; ++k) {
        sherd_mpm_contact_point *contact = &j->penalty->list[k];
        int side = sherd_mpm_contact_point_is_ball(contact);
        if (contact->coupled >= 0)
            sherd_mpm_penalty_velocities(j->def, contact, side, SHERD_BEFORE, contact->inside,
                                         contact->along);
    }
}

// Adds forces in the order of springs, so that sums do not depend on threads.
bool sherd_mpm_penalty_load(sherd_mpm_penalty_contacts *t, const sherd_mpm_penalty_def *def,
                            sherd_mpm_penalty_losses *losses)
{
    double before = t->energy, after = 0.0;
    job j = {t, def};
    if (!sherd_mpm_find_contact_points(t, def)) return false;
    sherd_parallel_for(&def->parallel, t->contact_count, CONTACTS_PER_CHUNK, note_velocities, &j);
    for (size_t k = 0; k < t->contact_count; ++k) {
        sherd_mpm_contact_point *contact = &t->list[k];
        if (!(contact->overlap > 0.0)) continue;
        double impulse[AXES];
        after += contact->energy;
        sherd_mpm_penalty_force(contact, impulse);
        memcpy(contact->force, impulse, sizeof impulse);
        for (int i = 0; i < AXES; ++i)
            impulse[i] *= def->kick;
        if (contact->coupled >= 0) { // the coupled body's own steps come first
            losses->transfer += 0.5 * sherd_mpm_penalty_apply_impulse(
                                          def, contact, sherd_mpm_contact_point_is_ball(contact),
                                          impulse, SHERD_TO_NOTHING);
            continue;
        }
        for (int side = 0; side < (sherd_mpm_contact_point_is_wall(contact) ? 1 : 2); ++side) {
            sherd_mpm_penalty_apply_impulse(def, contact, side, impulse, SHERD_TO_LOADS);
            losses->transfer += 0.5 * sherd_mpm_penalty_advected_work(def, contact, side, impulse);
        }
    }
    losses->contact += before - after;
    return true;
}

// ---------------------------------------------------------------- coupled bodies

// Advances a spring over one step of a coupled body and adds its force. The points continue with
// the velocities of the previous grid step.
static void pull_one(const sherd_mpm_penalty_def *def, sherd_mpm_contact_point *contact, double dt)
{
    sherd_mpm_coupled_body *g = &def->coupling->list[contact->coupled];
    double arm[AXES], deep[AXES], across[AXES], own[AXES], from[AXES], before[AXES], after[AXES],
        sign = sherd_mpm_contact_point_is_ball(contact) ? 1.0 : -1.0,
        gone = def->coupling->elapsed - contact->elapsed;
    for (int k = 0; k < AXES; ++k)
        arm[k] = contact->at[k] - g->centre[k];
    for (int k = 0; k < AXES; ++k) {
        double now = g->displacement[k] + sherd_axes_dot(g->rotation[k], arm);
        from[k] = arm[k] + now - g->displacement[k]; // relative to the present centre
        own[k] = sign * (now - contact->displacement[k]);
        deep[k] = own[k] - sign * gone * contact->inside[k];
        across[k] = own[k] - sign * gone * contact->along[k];
        contact->displacement[k] = now;
    }
    contact->elapsed = def->coupling->elapsed;
    sherd_mpm_penalty_force(contact, before);
    sherd_mpm_penalty_follow(contact, deep, across);
    sherd_mpm_penalty_force(contact, after);
    for (int k = 0; k < AXES; ++k) {
        contact->lost[2] -= 0.5 * (before[k] + after[k]) * own[k];
        contact->impulse[k] += dt * after[k], after[k] *= sign * dt;
    }
    for (int k = 0; k < AXES; ++k) {
        int next = (k + 1) % AXES, last = (k + 2) % AXES;
        g->impulse[k] += after[k];
        g->angular_impulse[k] += from[next] * after[last] - from[last] * after[next];
    }
}

void sherd_mpm_penalty_push_coupled(sherd_mpm_penalty_contacts *t, const sherd_mpm_penalty_def *def,
                                    double dt)
{
    for (size_t k = 0; k < t->contact_count; ++k)
        if (t->list[k].coupled >= 0) pull_one(def, &t->list[k], dt);
}

// Loss by the change of a spring's force during the coupled body's steps. The force on points
// changes from f to f' while the points continue unchanged; then they get its mean in one kick,
// which changes their velocity from v to u. K + V + 1/2 sum J . v refers to a constant force; the
// difference is 1/4 dt (f' - f) . (u - v).
static double left_between(const sherd_mpm_penalty_def *def, const sherd_mpm_contact_point *contact)
{
    double more[AXES];
    sherd_mpm_penalty_force(contact, more);
    for (int k = 0; k < AXES; ++k)
        more[k] = 0.25 * def->dt * (more[k] - contact->force[k]);
    return sherd_mpm_penalty_apply_impulse(def, contact, sherd_mpm_contact_point_is_ball(contact),
                                           more, SHERD_TO_NOTHING);
}

void sherd_mpm_penalty_react(const sherd_mpm_penalty_contacts *t, const sherd_mpm_penalty_def *def,
                             sherd_mpm_penalty_losses *losses)
{
    for (size_t k = 0; k < t->contact_count; ++k) {
        const sherd_mpm_contact_point *contact = &t->list[k];
        if (contact->coupled >= 0 && sherd_axes_dot(contact->impulse, contact->impulse) > 0.0)
            sherd_mpm_penalty_apply_impulse(def, contact, sherd_mpm_contact_point_is_ball(contact),
                                            contact->impulse, SHERD_TO_MOTION);
    }
    for (size_t k = 0; k < t->contact_count && def->glue != NULL; ++k)
        if (t->list[k].coupled >= 0)
            losses->transfer += sherd_mpm_penalty_join(
                def, &t->list[k].side[sherd_mpm_contact_point_is_ball(&t->list[k])]);
    for (size_t k = 0; k < t->contact_count; ++k)
        if (t->list[k].coupled >= 0) losses->transfer += left_between(def, &t->list[k]);
}

// ---------------------------------------------------------------- motion

// Displacement of the sample's body relative to the partner in a step. Coupled bodies have moved
// already and count as at rest.
static void relative(const sherd_mpm_penalty_def *def, const sherd_mpm_contact_point *contact,
                     double inside[AXES], double along[AXES], double wall[AXES])
{
    double v[2][AXES] = {{0.0}}, u[2][AXES] = {{0.0}};
    for (int side = 0; side < 2; ++side) {
        if (contact->coupled >= 0 && side == (sherd_mpm_contact_point_is_ball(contact) ? 0 : 1))
            continue;
        if (side == 1 && sherd_mpm_contact_point_is_wall(contact)) {
            const sherd_mpm_wall *w = &def->grid->walls->list[contact->wall];
            w->velocity(w->context, contact->at, wall);
            memcpy(v[1], wall, sizeof v[1]), memcpy(u[1], wall, sizeof u[1]);
            continue;
        }
        sherd_mpm_penalty_velocities(def, contact, side, SHERD_NOW, v[side], u[side]);
    }
    for (int k = 0; k < AXES; ++k)
        inside[k] = def->dt * (v[0][k] - v[1][k]), along[k] = def->dt * (u[0][k] - u[1][k]);
}

// Steps conserve K + V + 1/2 sum J . v with the next impulses J (mpm_accounts.h), but accounts use
// the last ones. So the energy of a spring is V + 1/2 (f' - f) . displacement, f and f' being its
// forces before and after the step.
static void move_points(const sherd_mpm_penalty_def *def, sherd_mpm_contact_point *contact)
{
    double inside[AXES], along[AXES], wall[AXES] = {0.0}, before[AXES], after[AXES], more[AXES];
    relative(def, contact, inside, along, wall);
    sherd_mpm_penalty_force(contact, before);
    sherd_mpm_penalty_follow(contact, inside, along);
    contact->overlap = fmax(contact->overlap, 0.0);
    sherd_mpm_penalty_force(contact, after);
    for (int k = 0; k < AXES; ++k) {
        more[k] = after[k] - before[k];
        contact->lost[2] += 0.5 * def->dt * (before[k] + after[k]) * wall[k];
    }
    contact->energy = sherd_mpm_penalty_stored(contact) +
                      0.5 * sherd_mpm_penalty_power(contact, more, inside, along);
}

// Springs of coupled bodies, which have moved already. The points got the impulse of the whole step
// in one kick at its beginning, so their mean velocity counts: half of that before and half of that
// after the kick.
static void move_beside_coupled(const sherd_mpm_penalty_def *def, sherd_mpm_contact_point *contact)
{
    double inside[AXES], along[AXES], wall[AXES], deep[AXES], across[AXES], last[AXES],
        sign = sherd_mpm_contact_point_is_ball(contact) ? 1.0 : -1.0;
    relative(def, contact, inside, along, wall);
    for (int k = 0; k < AXES; ++k) {
        deep[k] = 0.5 * (inside[k] + sign * def->dt * contact->inside[k]);
        across[k] = 0.5 * (along[k] + sign * def->dt * contact->along[k]);
        last[k] = contact->impulse[k] / def->dt;
    }
    sherd_mpm_penalty_follow(contact, deep, across);
    contact->overlap = fmax(contact->overlap, 0.0);
    contact->energy = sherd_mpm_penalty_stored(contact) -
                      0.5 * sherd_mpm_penalty_power(contact, last, inside, along);
}

static void move_range(void *context, size_t begin, size_t end)
{
    const job *j = context;
    for (size_t k = begin; k < end; ++k)
        if (j->penalty->list[k].coupled >= 0)
            move_beside_coupled(j->def, &j->penalty->list[k]);
        else
            move_points(j->def, &j->penalty->list[k]);
}

static void react(const sherd_mpm_penalty_def *def, const sherd_mpm_contact_point *contact)
{
    sherd_mpm_reaction *r = &def->grid->walls->reaction[contact->wall];
    for (int k = 0; k < AXES; ++k) {
        int next = (k + 1) % AXES, last = (k + 2) % AXES;
        r->impulse[k] -= def->kick * contact->force[k];
        r->moment[k] -= def->kick * (contact->at[next] * contact->force[last] -
                                     contact->at[last] * contact->force[next]);
    }
}

static bool keep(sherd_mpm_penalty_contacts *t, const sherd_mpm_contact_point *contact)
{
    if (!sherd_grow((void **)&t->springs, &t->room, t->count + 1, sizeof *t->springs)) return false;
    sherd_mpm_spring *s = &t->springs[t->count++];
    s->sample = contact->sample, s->partner = contact->partner, s->face = contact->face;
    s->overlap = contact->overlap;
    memcpy(s->normal, contact->normal, sizeof s->normal),
        memcpy(s->slip, contact->slip, sizeof s->slip);
    s->stiffness = contact->stiffness, s->energy = contact->energy;
    SHERD_ASSERT(s->stiffness > 0.0 && isfinite(s->overlap), "springs are finite");
    SHERD_ASSERT(t->count == 1 || s[-1].sample <= s->sample, "springs lie by sample");
    t->energy += s->energy;
    return true;
}

bool sherd_mpm_penalty_advance(sherd_mpm_penalty_contacts *t, const sherd_mpm_penalty_def *def,
                               sherd_mpm_penalty_losses *losses)
{
    job j = {t, def};
    sherd_parallel_for(&def->parallel, t->contact_count, CONTACTS_PER_CHUNK, move_range, &j);
    t->count = 0, t->energy = 0.0;
    for (size_t k = 0; k < t->contact_count; ++k) {
        const sherd_mpm_contact_point *contact = &t->list[k];
        losses->contact += contact->lost[0], losses->friction += contact->lost[1];
        *(contact->coupled >= 0 ? &losses->coupling : &losses->work) += contact->lost[2];
        if (sherd_mpm_contact_point_is_wall(contact)) react(def, contact);
        if (contact->overlap > 0.0 && !keep(t, contact)) return false;
    }
    return true;
}
