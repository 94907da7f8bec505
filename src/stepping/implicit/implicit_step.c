#include "stepping/implicit/implicit_step.h"

#include "base/error.h"
#include "base/memory.h"
#include "contact/contact_part.h"
#include "math/vec3.h"
#include "models/bonded/storage/bond_pass.h"
#include "stepping/explicit/swing.h"
#include "stepping/sleep/rigid_sleep.h"

#include <math.h>
#include <string.h>

static const double BEND_SHARE = 0.2, LOST_SHARE = 0.8; // of the accuracy
// Of the accuracy, what errors may add up to, by a rough count (a stiff draping beam then errs by about the accuracy);
// and what of the rest one step may take.
static const double BUDGET = 0.5, BUDGET_SHARE = 0.5;
static const double LEAST_SHARE = 0.2, MOST_SHARE = 2.0; // of a step's length: the next one's
static const double TOO_SHORT = 0.7;                     // share allowed: the step is made again
static const double NEAR_WORST = 0.9; // of the worst ratio: breaks together with it

// ---------------------------------------------------------------- before and after

// One thread for few elements: a step is hundreds of short loops, and waiting would take longer.
static sherd_implicit_parts parts_of(sherd_system *s)
{
    sherd_parallel parallel =
        s->elements.count > SHERD_BLOCK_ELEMENTS ? s->parallel : (sherd_parallel){1};
    return (sherd_implicit_parts){&s->elements,  &s->bonds,   &s->blocks,
                                  &s->adjacency, s->contacts, parallel};
}

static sherd_status make_implicit(sherd_system *system, sherd_error *error)
{
    if (system->implicit != NULL) return SHERD_OK;
    sherd_implicit_parts parts = parts_of(system);
    system->implicit = sherd_implicit_create(&parts, error);
    return system->implicit != NULL ? SHERD_OK : SHERD_ERROR_MEMORY;
}

sherd_status sherd_system_watch(sherd_system *system, double h, sherd_time_error *time,
                                sherd_error *error)
{
    sherd_system_settle(system);
    sherd_sleep_place(system);
    sherd_status status = make_implicit(system, error);
    if (status == SHERD_OK) *time = sherd_implicit_watch(system->implicit, h);
    return status;
}

sherd_status sherd_system_restore_implicit(sherd_system *system, sherd_byte_reader *in,
                                           sherd_error *error)
{
    sherd_status status = make_implicit(system, error);
    return status == SHERD_OK ? sherd_implicit_restore(system->implicit, in, error) : status;
}

sherd_status sherd_system_enter_implicit(sherd_system *system, double dt, sherd_error *error)
{
    sherd_system_settle(system);
    sherd_sleep_place(system);
    sherd_status status = sherd_sleep_wake_all(system, error);
    if (status == SHERD_OK) status = make_implicit(system, error);
    if (status == SHERD_OK) status = sherd_system_update_forces(system, error);
    if (status != SHERD_OK) return status;
    sherd_system_end_swing(system);
    sherd_implicit_bonds_changed(system->implicit);
    system->accounts.elastic =
        sherd_bonds_energy(&system->bonds, &system->elements, &system->parallel);
    bool looked = sherd_implicit_look_back(system->implicit);
    sherd_implicit_look_away(system->implicit);
    if (looked) return SHERD_OK;
    return sherd_implicit_recall(system->implicit, dt, system->gravity, error);
}

void sherd_system_leave_implicit(sherd_system *system)
{
    system->forces_valid = false;
}

// ---------------------------------------------------------------- drivers

static void place_held(void *context, double time, double dt)
{
    sherd_system *s = context;
    (void)dt;
    sherd_drivers_place(&s->drivers, &s->elements, time);
}

static bool some_push(const sherd_drivers *drivers)
{
    for (int d = 0; d < drivers->count; ++d)
        if (drivers->drivers[d].drive == SHERD_DRIVE_FORCE) return true;
    return false;
}

// Room for accelerations by drivers that push, or NULL: none does.
static sherd_status external_accelerations(sherd_system *s, double *external[3], sherd_error *error)
{
    size_t n = (size_t)s->elements.count;
    external[0] = NULL;
    if (!some_push(&s->drivers)) return SHERD_OK;
    double *memory = sherd_alloc(3 * n, sizeof *memory);
    if (memory == NULL) return sherd_fail_memory(error, "forces of drivers");
    for (int c = 0; c < 3; ++c)
        external[c] = memory + (size_t)c * n;
    return SHERD_OK;
}

// ---------------------------------------------------------------- fracture

typedef struct break_list {
    int64_t *bond;
    double *ratio, *energy;
    int64_t count;
    size_t capacity, ratio_capacity, energy_capacity;
} break_list;

static void break_list_free(break_list *list)
{
    sherd_free(list->bond);
    sherd_free(list->ratio);
    sherd_free(list->energy);
}

static sherd_status add_break(break_list *list, int64_t bond, const sherd_bond_analysis *now,
                              sherd_error *error)
{
    size_t needed = (size_t)list->count + 1;
    if (!sherd_grow((void **)&list->bond, &list->capacity, needed, sizeof *list->bond) ||
        !sherd_grow((void **)&list->ratio, &list->ratio_capacity, needed, sizeof *list->ratio) ||
        !sherd_grow((void **)&list->energy, &list->energy_capacity, needed, sizeof *list->energy))
        return sherd_fail_memory(error, "broken bonds");
    list->bond[list->count] = bond;
    list->ratio[list->count] = now->stress_ratio;
    list->energy[list->count] = now->energy;
    ++list->count;
    return SHERD_OK;
}

// Adds the bonds that the last evaluation found over their strengths and that reach `share` of the worst.
static sherd_status list_over(const sherd_system *s, double share, break_list *list,
                              sherd_error *error)
{
    int64_t first = list->count;
    sherd_status status = SHERD_OK;
    double worst = 0.0;
    for (int b = 0; b < s->blocks.count; ++b) {
        const sherd_bond_block *block = &s->blocks.blocks[b];
        sherd_broken_cursor cursor = {0};
        int64_t bond;
        while (status == SHERD_OK && block->newly_broken_count > 0 &&
               sherd_bond_block_next_broken(&s->blocks, block, &cursor, &bond)) {
            sherd_bond_analysis now = sherd_bond_analyse(&s->bonds, &s->elements, bond);
            worst = fmax(worst, now.stress_ratio);
            status = add_break(list, bond, &now, error);
        }
    }
    int64_t kept = first;
    for (int64_t k = first; k < list->count; ++k) {
        if (list->ratio[k] < share * worst) continue;
        list->bond[kept] = list->bond[k], list->ratio[kept] = list->ratio[k];
        list->energy[kept++] = list->energy[k];
    }
    list->count = kept;
    return status;
}

// Marks bonds [first, list->count) as broken, or as whole again.
static sherd_status mark(sherd_system *s, const break_list *list, int64_t first, uint8_t broken,
                         sherd_error *error)
{
    if (list->count == first) return SHERD_OK;
    for (int64_t k = first; k < list->count; ++k)
        s->bonds.broken[list->bond[k]] = broken;
    s->bonds.broken_count += (broken ? 1 : -1) * (list->count - first);
    sherd_implicit_bonds_changed(s->implicit);
    return sherd_bond_blocks_follow(&s->blocks, &s->bonds, &s->elements, error);
}

// ---------------------------------------------------------------- attempts

typedef struct attempt {
    sherd_system *system;
    const sherd_implicit_limits *limits;
    sherd_implicit_request request;
    sherd_implicit_outcome outcome;
    sherd_implicit_result *result;
    break_list breaks;
    int resolves;
    double over, over_dt; // worst stress ratio, and after how long, when something broke first
    double share; // of the length before, that this try was shortened to as it erred; 0: it was not
    sherd_error *error;
} attempt;

static sherd_status undo(attempt *a)
{
    sherd_implicit_reject(a->system->implicit);
    ++a->result->rejected;
    sherd_status status = mark(a->system, &a->breaks, 0, 0, a->error);
    a->breaks.count = 0;
    a->resolves = 0;
    return status;
}

// Pushes are those at the time that loads are taken.
static void push(attempt *a)
{
    const sherd_implicit_request *r = &a->request;
    const sherd_system *s = a->system;
    if (r->external == NULL) return;
    memset(r->external[0], 0, 3 * (size_t)s->elements.count * sizeof(double));
    double share = r->scheme == SHERD_SCHEME_KIND_MIDPOINT ? 0.5 : 1.0;
    sherd_drivers_accelerate(&s->drivers, &s->elements, r->time + share * r->dt, r->external);
}

static sherd_status solve(attempt *a)
{
    push(a);
    sherd_status status =
        sherd_implicit_try(a->system->implicit, &a->request, &a->outcome, a->error);
    a->result->newton += a->outcome.newton.iterations;
    a->result->linear += a->outcome.newton.linear_iterations;
    a->result->coarse += a->outcome.newton.coarse;
    a->result->stress_ratio =
        fmax(a->result->stress_ratio, a->outcome.newton.value.bonds.stress_ratio);
    return status;
}

// dt over the present one that an error allows that goes with dt to the given power.
static double allowed_factor(double allowed, double error, double order)
{
    return 0.9 * pow(allowed / fmax(error, 1e-6 * allowed), 1.0 / order);
}

// What a swing that is followed loses adds up. When it is lost, its amplitude bend / turn^2 is all that is.
static double allowed_bend(const sherd_implicit_limits *limits, const sherd_time_error *t,
                           double dt)
{
    double share = limits->accuracy * fmin(fmax(t->turn * t->turn, BEND_SHARE), LOST_SHARE);
    return fmin(share * fmin(t->way, limits->bend_way), limits->bend_speed * dt);
}

// What errors of all steps may add up to grows with the way; a step may take a part of what is left of it.
static double allowed_of_budget(const sherd_implicit_limits *limits, const sherd_time_error *t,
                                double dt)
{
    if (!(t->bend <= limits->bend_speed * dt)) return 0.0;
    return BUDGET_SHARE * (BUDGET * limits->accuracy * t->way - t->spent);
}

// How much of a vibration is lost at once: all, where steps are long against it. What is followed loses a
// share theta^2 of its speed in a radian, and goes on losing.
static double unfollowed(const sherd_time_error *t)
{
    return isfinite(t->bend) ? fmin(t->turn * t->turn, 1.0) : 1.0;
}

// Against the step's own move, which goes with dt, what goes with dt^3 for BDF2 and dt^2 for Euler; or against
// the way so far, what bends with dt^2; or what is left of the budget, with dt^3 at least.
static double factor_by_places(const sherd_implicit_limits *limits, const sherd_time_error *time,
                               sherd_scheme_kind scheme, double noise, double dt)
{
    if (!(limits->error > 0.0)) return 1.0;
    double rest = fmax(limits->rest_move, limits->rest_speed * dt * unfollowed(time));
    double allowed = limits->error * fmax(time->move, rest) + noise;
    double order = scheme == SHERD_SCHEME_KIND_BDF2 ? 2.0 : 1.0;
    double factor = allowed_factor(allowed, time->error, order);
    factor = fmax(factor, allowed_factor(allowed_bend(limits, time, dt), time->bend, 2.0));
    double budget = allowed_of_budget(limits, time, dt);
    return budget > 0.0 ? fmax(factor, allowed_factor(budget, time->error, 3.0)) : factor;
}

// The power that a step takes goes with dt^3 for BDF2, with dt for Euler.
double sherd_implicit_loss_factor(const sherd_implicit_limits *limits, const sherd_time_error *time,
                                  sherd_scheme_kind scheme)
{
    if (isinf(limits->loss)) return INFINITY;
    return allowed_factor(limits->loss, time->loss, scheme == SHERD_SCHEME_KIND_BDF2 ? 3.0 : 1.0);
}

double sherd_implicit_allowed_factor(const sherd_implicit_limits *limits,
                                     const sherd_time_error *time, sherd_scheme_kind scheme,
                                     double noise, double dt)
{
    return fmin(factor_by_places(limits, time, scheme, noise, dt),
                sherd_implicit_loss_factor(limits, time, scheme));
}

// Of the step's length, what its error would allow.
static double allowed_share(const attempt *a, const sherd_implicit_outcome *o)
{
    double factor =
        sherd_implicit_allowed_factor(a->limits, &o->time, o->scheme, o->noise, a->request.dt);
    return fmin(fmax(factor, LEAST_SHARE), MOST_SHARE);
}

// More than what explicit steps would take has gone into attempts that led nowhere.
static bool not_worth_it(const attempt *a)
{
    double budget = a->request.newton.budget;
    double spent = sherd_newton_spent(a->result->newton, a->result->coarse);
    return budget > 0.0 && spent >= budget;
}

static bool errs(void *context, const sherd_implicit_outcome *outcome)
{
    const attempt *a = context;
    return allowed_share(a, outcome) < TOO_SHORT;
}

// Whether it is known how much the try errs.
static bool is_judged(const attempt *a)
{
    return a->outcome.newton.converged || a->outcome.errs;
}

static double shorter_dt(const attempt *a)
{
    if (!is_judged(a)) return 0.5 * a->request.dt;
    double share = allowed_share(a, &a->outcome);
    return share < TOO_SHORT ? share * a->request.dt : a->request.dt;
}

// The last try was shortened as its error asked for, and this one errs nearly as much: a speed that jumps, as
// where something is hit, errs by the same share of any step.
static bool shortened_in_vain(const attempt *a, double dt)
{
    return a->request.newton.budget > 0.0 && is_judged(a) && a->share > LEAST_SHARE &&
           dt / a->request.dt < 0.5 * (1.0 + a->share);
}

// Something rings, and contacts that begin, end or slide leave nothing but Euler's formula, which would keep it
// only in steps as short as explicit ones.
static bool loses_by_euler(const attempt *a)
{
    return isfinite(a->limits->loss) && is_judged(a) &&
           a->outcome.scheme == SHERD_SCHEME_KIND_EULER &&
           sherd_implicit_loss_factor(a->limits, &a->outcome.time, a->outcome.scheme) < TOO_SHORT;
}

static sherd_status give_up(attempt *a, sherd_implicit_end end)
{
    a->result->end = end;
    return undo(a);
}

// Something breaks on the way: when, if the worst stress ratio grows evenly from where the step begins.
static sherd_status give_up_before_fracture(attempt *a)
{
    sherd_status status = give_up(a, SHERD_IMPLICIT_FRACTURE);
    if (status != SHERD_OK) return status;
    sherd_system *s = a->system;
    double start =
        sherd_bonds_evaluate(&s->bonds, &s->blocks, &s->elements, &s->parallel).stress_ratio;
    double share = start < 1.0 ? (1.0 - start) / (a->over - start) : 0.0;
    a->result->danger_in = share * a->over_dt;
    return SHERD_OK;
}

// What has been solved for does not tell when that is: half the way is safe.
static sherd_status give_up_before_impact(attempt *a)
{
    const sherd_newton_report *newton = &a->outcome.newton;
    double dt = a->request.dt, in = newton->value.contact.impact_in;
    a->result->danger_in = newton->iterations == 0 ? fmin(fmax(in, 0.01 * dt), dt) : 0.5 * dt;
    return give_up(a, SHERD_IMPLICIT_IMPACT);
}

static bool hits_hard(const attempt *a)
{
    const sherd_contact_potential *contact = &a->outcome.newton.value.contact;
    return contact->impact > a->limits->impact || contact->rebound > a->limits->rebound;
}

// Steps until one converges and errs little enough. That something will be hit hard shows before the step is
// short enough to be right about it.
static sherd_status find_length(attempt *a)
{
    for (;;) {
        sherd_status status = solve(a);
        if (status != SHERD_OK) return status;
        if (hits_hard(a)) return give_up_before_impact(a);
        double dt = shorter_dt(a);
        if (dt >= a->request.dt) return SHERD_OK;
        if (not_worth_it(a) || shortened_in_vain(a, dt) || loses_by_euler(a))
            return give_up(a, SHERD_IMPLICIT_TOO_SHORT);
        status = undo(a);
        if (status != SHERD_OK) return status;
        a->share = is_judged(a) ? dt / a->request.dt : 0.0;
        a->request.dt = dt;
        if (dt < a->limits->shortest) {
            a->result->end = SHERD_IMPLICIT_TOO_SHORT;
            return SHERD_OK;
        }
    }
}

// Once more without the bonds that break first.
static sherd_status break_and_resolve(attempt *a)
{
    const sherd_implicit_limits *limits = a->limits;
    int64_t before = a->breaks.count;
    if (a->resolves == 0) {
        a->over = a->outcome.newton.value.bonds.stress_ratio;
        a->over_dt = a->request.dt;
    }
    if (a->resolves == limits->most_resolves) return give_up_before_fracture(a);
    sherd_status status = list_over(a->system, NEAR_WORST, &a->breaks, a->error);
    if (status != SHERD_OK) return status;
    if (a->breaks.count > limits->most_breaks) {
        a->breaks.count = before;
        return give_up_before_fracture(a);
    }
    sherd_implicit_reject(a->system->implicit);
    ++a->resolves;
    status = mark(a->system, &a->breaks, before, 1, a->error);
    return status == SHERD_OK ? find_length(a) : status;
}

static sherd_status settle_fracture(attempt *a)
{
    sherd_status status = SHERD_OK;
    while (status == SHERD_OK && a->result->end == SHERD_IMPLICIT_DONE &&
           a->outcome.newton.value.bonds.over > 0) {
        if (a->limits->fracture == SHERD_FRACTURE_END_OF_STEP) {
            int64_t before = a->breaks.count;
            status = list_over(a->system, 0.0, &a->breaks, a->error);
            return status == SHERD_OK ? mark(a->system, &a->breaks, before, 1, a->error) : status;
        }
        status = break_and_resolve(a);
    }
    return status;
}

// ---------------------------------------------------------------- accepting

static double kinetic_and_gravity(void *context, size_t begin, size_t end)
{
    const sherd_system *s = context;
    const sherd_elements *e = &s->elements;
    double sum = 0.0;
    for (size_t at = begin; at < end; ++at) {
        sherd_element_index k = (sherd_element_index)at;
        sherd_vec3 v = sherd_element_velocity(e, k), w = sherd_element_spin(e, k);
        double mass = sherd_element_mass(e, k);
        sum += 0.5 * (mass * vec3_dot(v, v) + sherd_element_inertia(e, k) * vec3_dot(w, w)) -
               mass * vec3_dot(s->gravity, sherd_element_position(e, k));
    }
    return sum;
}

double sherd_system_closed_total(sherd_system *s, double elastic)
{
    const sherd_accounts *a = &s->accounts;
    double sum = sherd_parallel_sum(&s->parallel, (size_t)s->elements.count, SHERD_SYSTEM_CHUNK,
                                    kinetic_and_gravity, s);
    sum += elastic + a->dissipated_bonds + a->dissipated_fracture - a->driver_work;
    if (s->contacts == NULL) return sum;
    sherd_contact_energy c = sherd_contacts_energy(s->contacts, s->gravity);
    return sum + c.stored + c.dissipated_damping + c.dissipated_friction + c.onset +
           c.rigid_kinetic + c.rigid_gravity - c.work;
}

static void book_breaks(sherd_system *s, const break_list *list)
{
    for (int64_t k = 0; k < list->count; ++k) {
        sherd_element_index i = s->bonds.i[list->bond[k]], j = s->bonds.j[list->bond[k]];
        s->accounts.dissipated_fracture += list->energy[k];
        if (s->contacts != NULL) sherd_contacts_bonds_broke(s->contacts, &i, &j, 1);
    }
}

// Weight of the loads that a step started from in the mean over it: Euler's change of momentum is that of the
// loads at its end, the others' is nearer to their mean.
static double share_before(const attempt *a)
{
    return a->outcome.scheme == SHERD_SCHEME_KIND_EULER ? 0.0 : 0.5;
}

// What any element or free body has gone in the step, at most [m].
static double farthest_move(const attempt *a)
{
    const sherd_contacts *contacts = a->system->contacts;
    if (contacts == NULL) return 0.0;
    // A mid-point step has looked at half its way.
    double whole = a->outcome.scheme == SHERD_SCHEME_KIND_MIDPOINT ? 2.0 : 1.0;
    return fmax(whole * a->outcome.newton.value.contact.farthest,
                a->request.dt * sherd_contacts_fastest_body(contacts));
}

static sherd_status accept(attempt *a, double total_before)
{
    sherd_system *s = a->system;
    double dissipated;
    sherd_status status =
        sherd_implicit_accept(s->implicit, share_before(a), &dissipated, a->error);
    if (status != SHERD_OK) return status;
    double elastic = a->outcome.newton.value.bonds.energy;
    s->accounts.dissipated_bonds += dissipated;
    double weight = a->request.dt / s->dt, before = share_before(a) * weight;
    s->accounts.driver_work +=
        sherd_drivers_finish(&s->drivers, &s->elements, a->request.time + a->request.dt, before,
                             weight - before, s->gravity);
    book_breaks(s, &a->breaks);
    // Energy of bonds that broke at the end of the step is still in `elastic`.
    if (a->limits->fracture == SHERD_FRACTURE_END_OF_STEP)
        for (int64_t k = 0; k < a->breaks.count; ++k)
            elastic -= a->breaks.energy[k];
    s->accounts.elastic = elastic;
    s->accounts.integration += total_before - sherd_system_closed_total(s, elastic);
    // Loads are those without what broke in a cascade.
    if (a->breaks.count > 0 && a->limits->fracture == SHERD_FRACTURE_CASCADE)
        status = sherd_implicit_recall(s->implicit, a->request.dt, s->gravity, a->error);
    s->path += farthest_move(a);
    a->result->breaks = a->breaks.count;
    a->result->dt = a->request.dt;
    a->result->next = a->request.dt * allowed_share(a, &a->outcome);
    a->result->time = a->outcome.time;
    a->result->scheme = a->outcome.scheme;
    return status;
}

sherd_status sherd_system_step_implicit(sherd_system *system, double dt, sherd_scheme_kind scheme,
                                        const sherd_newton_settings *newton,
                                        const sherd_implicit_limits *limits,
                                        sherd_implicit_result *result, sherd_error *error)
{
    *result = (sherd_implicit_result){.end = SHERD_IMPLICIT_DONE, .dt = dt};
    attempt a = {.system = system,
                 .limits = limits,
                 .request = {.time = sherd_system_time(system),
                             .dt = dt,
                             .scheme = scheme,
                             .gravity = system->gravity,
                             .place_held = place_held,
                             .impact = limits->impact,
                             .rebound = limits->rebound,
                             .barrier = limits->barrier,
                             .newton = *newton},
                 .result = result,
                 .error = error};
    a.request.context = system;
    if (limits->error > 0.0) a.request.errs = errs;
    a.request.errs_context = &a;
    double *external[3];
    sherd_status status = external_accelerations(system, external, error);
    if (status == SHERD_OK)
        status = sherd_drivers_note_start(&system->drivers, &system->elements, error);
    if (status != SHERD_OK) {
        sherd_free(external[0]);
        return status;
    }
    if (external[0] != NULL) a.request.external = external;
    double total = sherd_system_closed_total(system, system->accounts.elastic);
    status = find_length(&a);
    if (status == SHERD_OK) status = settle_fracture(&a);
    if (status == SHERD_OK && result->end == SHERD_IMPLICIT_DONE) status = accept(&a, total);
    result->dt = a.request.dt;
    break_list_free(&a.breaks);
    sherd_free(external[0]);
    return status;
}
