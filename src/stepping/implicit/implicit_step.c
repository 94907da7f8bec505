// One implicit step, in the order of its stages. Each stage is a file:
//
//   predict      predict.c             expected poses at the end, and the scheme's target
//   contacts     contact_trial.c       lists pairs that may touch on the way there
//   Newton       newton.c              the minimum
//   friction     friction_rounds.c     the same with friction limited by the normal forces found
//   judge error  time_error.c, control/step_length.c
//                                      error in time, and how long the step should have been
//   break        softening_rounds.c    openings of softening bonds; the step is repeated with them
//                break_list.c          damage of bonds that take time to break
//                break_list.c          overstressed bonds; the step is repeated without them
//   accept       implicit_try.c        velocities, contacts, accounts
//
// The first five are a try (implicit_try.c); tries become shorter until one is accepted.
#include "stepping/implicit/implicit_step.h"
#include "stepping/energy_balance.h"

#include "base/error.h"
#include "contact/contact_part.h"
#include "math/vec3.h"
#include "models/bonded/storage/bond_pass.h"
#include "stepping/control/step_constants.h"
#include "stepping/control/step_length.h"
#include "stepping/driven_surfaces.h"
#include "stepping/explicit/verlet_energy_offset.h"
#include "stepping/implicit/break_list.h"
#include "stepping/implicit/softening_rounds.h"
#include "stepping/sleep/rigid_sleep.h"

#include <math.h>
#include <string.h>

// ---------------------------------------------------------------- before and after

// One thread for few elements: a step consists of hundreds of short loops, and waiting would take
// longer.
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

sherd_status sherd_system_sample_history(sherd_system *system, double h, sherd_time_error *time,
                                         sherd_error *error)
{
    sherd_system_synchronize(system);
    sherd_sleep_update_poses(system);
    sherd_status status = make_implicit(system, error);
    if (status == SHERD_OK) *time = sherd_implicit_sample_history(system->implicit, h);
    return status;
}

sherd_status sherd_system_restore_implicit(sherd_system *system, sherd_record_reader *in,
                                           sherd_error *error)
{
    sherd_status status = make_implicit(system, error);
    return status == SHERD_OK ? sherd_implicit_restore(system->implicit, in, error) : status;
}

// ---------------------------------------------------------------- drivers

static void pose_held(void *context, double time, double dt)
{
    sherd_system *s = context;
    (void)dt;
    sherd_drivers_place(&s->drivers, &s->elements.points, time);
}

static bool some_apply_forces(const sherd_drivers *drivers)
{
    for (int d = 0; d < drivers->count; ++d)
        if (drivers->drivers[d].drive == SHERD_DRIVE_FORCE || drivers->drivers[d].surface != NULL)
            return true;
    return false;
}

// Arrays for accelerations by drivers that apply forces, or NULL if there are none.
static sherd_status external_accelerations(sherd_system *s, double *external[3], sherd_error *error)
{
    size_t n = (size_t)s->elements.count;
    external[0] = NULL;
    if (!some_apply_forces(&s->drivers)) return SHERD_OK;
    double *memory = sherd_implicit_external_scratch(s->implicit);
    if (memory == NULL) return sherd_fail_memory(error, "forces of drivers");
    for (int c = 0; c < 3; ++c)
        external[c] = memory + (size_t)c * n;
    return SHERD_OK;
}

static void set_external_accelerations(const sherd_system *s, const sherd_driver_means *means,
                                       double *const external[3])
{
    memset(external[0], 0, 3 * (size_t)s->elements.count * sizeof(double));
    sherd_drivers_accelerate(&s->drivers, means, external);
    sherd_drivers_accelerate_surfaces(&s->drivers, &s->elements.points, means, external);
}

// Accelerations by drivers: the exact impulse over the step, at whatever times forces change.
static void set_external(void *context, const sherd_implicit_request *r, sherd_scheme_kind scheme,
                         double before)
{
    double extra = sherd_scheme_external_extra(scheme, r->dt, before);
    set_external_accelerations(context, &(sherd_driver_means){r->time, r->dt, before, 1.0, extra},
                               r->external);
}

// Over the time h until the present. Loads of explicit steps include the present forces of drivers:
// `in_loads` 1, else 0.
static sherd_status extrapolate_history(sherd_system *s, double now, double h, double in_loads,
                                        sherd_error *error)
{
    double *external[3];
    sherd_status status = external_accelerations(s, external, error);
    if (status != SHERD_OK) return status;
    bool has_external = external[0] != NULL;
    if (has_external)
        set_external_accelerations(s, &(sherd_driver_means){now, 0.0, h, 1.0 - in_loads, -1.0},
                                   external);
    return sherd_implicit_extrapolate_history(s->implicit, h, s->gravity,
                                              has_external ? external : NULL, error);
}

// ---------------------------------------------------------------- before and after

sherd_status sherd_system_enter_implicit(sherd_system *system, double dt, sherd_error *error)
{
    sherd_system_synchronize(system);
    sherd_sleep_update_poses(system);
    sherd_status status = sherd_sleep_wake_all(system, error);
    if (status == SHERD_OK) status = make_implicit(system, error);
    if (status == SHERD_OK) status = sherd_system_update_forces(system, error);
    if (status == SHERD_OK) status = sherd_system_sample_surfaces(system, error);
    if (status != SHERD_OK) return status;
    sherd_verlet_energy_end(system);
    sherd_implicit_bonds_changed(system->implicit);
    system->accounts.elastic =
        sherd_bonds_energy(&system->bonds, &system->elements, &system->parallel);
    double radius = sherd_implicit_radius(system->implicit);
    double fall = sherd_visible_acceleration(system->gravity, radius);
    status = sherd_implicit_restore_history(system->implicit, system->gravity, JUMP_FRACTION * fall,
                                            sqrt(fall * radius), error);
    sherd_implicit_clear_history(system->implicit);
    if (status != SHERD_OK || sherd_implicit_has_history(system->implicit)) return status;
    return extrapolate_history(system, sherd_system_time(system), dt, 1.0, error);
}

void sherd_system_leave_implicit(sherd_system *system)
{
    system->forces_valid = false;
}

// ---------------------------------------------------------------- attempts

static const double NEAR_WORST = 0.9; // fraction of the worst ratio: breaks together with it

typedef struct attempt {
    sherd_system *system;
    const sherd_step_limits *limits;
    sherd_implicit_request request;
    sherd_implicit_outcome outcome;
    sherd_implicit_result *result;
    sherd_break_list breaks;
    sherd_softening_rounds *rounds;
    sherd_overstress_step *overstress;
    int resolves;
    bool unsolved; // the last try ended without a solution of its linear system
    // stress over strength of bonds that break by elements' stress, in the last try
    double element_ratio;
    double over, over_dt; // worst stress ratio, and the time of the first break
    // ratio to the previous length by which this try was shortened for its error; 0: it was not
    double factor;
    sherd_error *error;
} attempt;

static sherd_status undo(attempt *a)
{
    sherd_implicit_reject(a->system->implicit);
    ++a->result->rejected;
    sherd_status status = sherd_softening_rounds_undo(a->rounds, a->system, a->error);
    if (status != SHERD_OK) return status;
    a->resolves = 0;
    return sherd_undo_breaks(a->system, &a->breaks, a->error);
}

// The worst ratio of the last try.
static double stress_ratio(const attempt *a)
{
    return fmax(a->outcome.newton.value.bonds.stress_ratio, a->element_ratio);
}

static sherd_status solve(attempt *a)
{
    sherd_status status =
        sherd_implicit_try(a->system->implicit, &a->request, &a->outcome, a->error);
    // If a linear system cannot be solved in single precision, or a state is out of range, shorter
    // steps may still work, or explicit ones if the method may change.
    a->unsolved = status == SHERD_ERROR_UNSTABLE;
    if (a->unsolved) {
        sherd_error_clear(a->error);
        status = SHERD_OK;
        a->outcome.newton.converged = a->outcome.exceeds_tolerance = false;
    }
    a->result->newton += a->outcome.newton.iterations;
    a->result->linear += a->outcome.newton.linear_iterations;
    a->result->coarse += a->outcome.newton.coarse;
    if (status != SHERD_OK || a->unsolved) return status;
    a->element_ratio = sherd_find_element_stresses(a->system);
    a->result->stress_ratio = fmax(a->result->stress_ratio, stress_ratio(a));
    return status;
}

// Ratio to the step's length that its error would allow.
static double allowed_factor(const attempt *a, const sherd_implicit_outcome *o)
{
    double factor =
        sherd_step_allowed_factor(a->limits, &o->time, o->scheme, o->noise, a->request.dt);
    factor = fmin(factor, sherd_step_bodies_factor(a->limits, &o->bodies, o->scheme, o->noise,
                                                   a->request.dt));
    factor = fmin(factor, sherd_step_drag_factor(o->drag));
    return fmin(fmax(factor, MIN_FRACTION), MAX_FRACTION);
}

// True if failed attempts have cost more than explicit steps would have.
static bool exceeds_budget(const attempt *a)
{
    double budget = a->request.newton.budget;
    double spent = sherd_newton_spent(a->result->newton, a->result->coarse);
    return budget > 0.0 && spent >= budget;
}

static bool exceeds_tolerance(void *context, const sherd_implicit_outcome *outcome)
{
    const attempt *a = context;
    return allowed_factor(a, outcome) < TOO_SHORT;
}

// True if the time error of the try is known.
static bool is_judged(const attempt *a)
{
    return a->outcome.newton.converged || a->outcome.exceeds_tolerance;
}

static double shorter_dt(const attempt *a)
{
    if (!is_judged(a)) return 0.5 * a->request.dt;
    double factor = allowed_factor(a, &a->outcome);
    return factor < TOO_SHORT ? factor * a->request.dt : a->request.dt;
}

// True if the last try was shortened for its error, and this one's is nearly as large: a velocity
// jump, as in an impact, causes the same relative error in any step.
static bool shortening_fails(const attempt *a, double dt)
{
    return a->request.newton.budget > 0.0 && is_judged(a) && a->factor > MIN_FRACTION &&
           dt / a->request.dt < 0.5 * (1.0 + a->factor);
}

// True if something vibrates, and contacts that begin, end or slide allow only the Euler scheme,
// which would resolve the vibration only in steps as short as explicit ones.
static bool euler_damps_vibration(const attempt *a)
{
    return isfinite(a->limits->loss) && is_judged(a) &&
           a->outcome.scheme == SHERD_SCHEME_KIND_EULER &&
           sherd_step_loss_factor(a->limits, &a->outcome.time, a->outcome.scheme) < TOO_SHORT;
}

static sherd_status abandon(attempt *a, sherd_implicit_end end)
{
    a->result->end = end;
    return undo(a);
}

// Time of the first break, if the worst stress ratio grows linearly from the start of the step.
static sherd_status abandon_before_fracture(attempt *a)
{
    sherd_status status = abandon(a, SHERD_IMPLICIT_FRACTURE);
    if (status != SHERD_OK) return status;
    sherd_system *s = a->system;
    double start =
        fmax(sherd_bonds_evaluate(&s->bonds, &s->blocks, &s->elements, &s->parallel).stress_ratio,
             sherd_find_element_stresses(s));
    double factor = start < 1.0 ? (1.0 - start) / (a->over - start) : 0.0;
    a->result->danger_in = factor * a->over_dt;
    return SHERD_OK;
}

// The solution does not tell the time of impact: half the step is safe.
static sherd_status abandon_before_impact(attempt *a)
{
    const sherd_newton_report *newton = &a->outcome.newton;
    double dt = a->request.dt, in = newton->value.contact.impact_in;
    a->result->danger_in = newton->iterations == 0 ? fmin(fmax(in, 0.01 * dt), dt) : 0.5 * dt;
    return abandon(a, SHERD_IMPLICIT_IMPACT);
}

// [IBDEM25] takes what the iteration has reached, whatever it is.
static bool accepts_all(const attempt *a)
{
    return sherd_manifold_is_used(&a->request.manifold);
}

static bool exceeds_impact_limit(const attempt *a)
{
    const sherd_contact_potential *contact = &a->outcome.newton.value.contact;
    return contact->impact > a->limits->impact || contact->rebound > a->limits->rebound;
}

// Tries until one converges and its time error is allowed. An impact is detected before steps are
// short enough to resolve it.
static sherd_status find_length(attempt *a)
{
    for (;;) {
        sherd_status status = solve(a);
        if (status != SHERD_OK) return status;
        if (accepts_all(a)) return a->unsolved ? abandon(a, SHERD_IMPLICIT_TOO_SHORT) : SHERD_OK;
        if (!a->unsolved && exceeds_impact_limit(a)) return abandon_before_impact(a);
        double dt = shorter_dt(a);
        if (dt >= a->request.dt) return SHERD_OK;
        if (exceeds_budget(a) || shortening_fails(a, dt) || euler_damps_vibration(a))
            return abandon(a, SHERD_IMPLICIT_TOO_SHORT);
        status = undo(a);
        if (status != SHERD_OK) return status;
        a->factor = is_judged(a) ? dt / a->request.dt : 0.0;
        a->request.dt = dt;
        if (dt < a->limits->shortest) {
            a->result->end = SHERD_IMPLICIT_TOO_SHORT;
            return SHERD_OK;
        }
    }
}

static void note_first_overstress(attempt *a)
{
    if (a->resolves > 0 || a->rounds->count > 1) return;
    a->over = stress_ratio(a);
    a->over_dt = a->request.dt;
}

// Repeats the step with openings of softening bonds that agree better with the state. *again: there
// were some.
static sherd_status open_and_resolve(attempt *a, bool *again)
{
    *again = false;
    if (a->rounds->before == NULL) return SHERD_OK;
    if (a->rounds->count == a->limits->max_opening_rounds)
        return a->limits->openings_agree ? abandon_before_fracture(a) : SHERD_OK;
    int64_t changed;
    sherd_status status = sherd_softening_rounds_open(a->rounds, a->system, &changed, a->error);
    *again = changed > 0 && a->limits->fracture == SHERD_FRACTURE_CASCADE;
    if (status != SHERD_OK || !*again) return status;
    note_first_overstress(a);
    sherd_implicit_reject(a->system->implicit);
    return find_length(a);
}

// Repeats the step without the bonds that break first; or at its end breaks all that exceed their
// strength. *again: the step was repeated.
static sherd_status break_and_resolve(attempt *a, bool *again)
{
    const sherd_step_limits *limits = a->limits;
    bool at_end = limits->fracture == SHERD_FRACTURE_END_OF_STEP;
    int64_t before = a->breaks.count;
    if (a->outcome.newton.value.bonds.over == 0 && a->element_ratio <= 1.0 &&
        a->overstress->over == 0)
        return SHERD_OK;
    a->overstress->dt = a->request.dt;
    sherd_status status = sherd_list_overstressed(a->system, a->overstress,
                                                  at_end ? 0.0 : NEAR_WORST, &a->breaks, a->error);
    if (status != SHERD_OK || a->breaks.count == before) return status;
    if (at_end) return sherd_mark_broken(a->system, &a->breaks, before, 1, a->error);
    note_first_overstress(a);
    if (a->resolves == limits->max_resolves || a->breaks.count > limits->max_breaks) {
        a->breaks.count = before;
        return abandon_before_fracture(a);
    }
    sherd_implicit_reject(a->system->implicit);
    ++a->resolves;
    *again = true;
    status = sherd_mark_broken(a->system, &a->breaks, before, 1, a->error);
    sherd_report_breaks(a->system, &a->breaks);
    return status == SHERD_OK ? find_length(a) : status;
}

static sherd_status resolve_fracture(attempt *a)
{
    sherd_status status = SHERD_OK;
    for (bool again = true; again && status == SHERD_OK && a->result->end == SHERD_IMPLICIT_DONE;) {
        status = open_and_resolve(a, &again);
        if (status == SHERD_OK && !again && a->result->end == SHERD_IMPLICIT_DONE)
            status = break_and_resolve(a, &again);
    }
    return status;
}

// ---------------------------------------------------------------- acceptance

// Weight of the loads at the start of a step in its change of momentum: Euler uses the loads at its
// end, the other schemes are nearer to the mean. Obstacles that do not move by their loads report
// the mean in any case.
static double start_weight(const attempt *a)
{
    return sherd_scheme_is_euler(a->outcome.scheme) ? 0.0 : 0.5;
}

// Largest displacement of any element or free body in the step [m].
static double farthest_move(const attempt *a)
{
    const sherd_contacts *contacts = a->system->contacts;
    if (contacts == NULL) return 0.0;
    // A mid-point step has examined half its path.
    double whole = a->outcome.scheme == SHERD_SCHEME_KIND_MIDPOINT ? 2.0 : 1.0;
    return fmax(whole * a->outcome.newton.value.contact.farthest,
                a->request.dt * sherd_contacts_fastest_body(contacts));
}

// Energy in bonds after the step; `parted` was in some that are broken [J].
static double stored_in_bonds(const attempt *a, double parted)
{
    const sherd_system *s = a->system;
    double elastic = a->outcome.newton.value.bonds.energy - parted;
    // The potential of bonds with history contains more than they store, that of a mid-point step is half way.
    if (s->bonds.history != NULL || a->outcome.scheme == SHERD_SCHEME_KIND_MIDPOINT)
        return sherd_bonds_energy(&s->bonds, &s->elements, &s->parallel);
    // The energy of bonds that broke at the end of the step is still included.
    if (a->limits->fracture == SHERD_FRACTURE_END_OF_STEP)
        for (int64_t k = 0; k < a->breaks.count; ++k)
            elastic -= a->breaks.broken[k].energy;
    return elastic;
}

static sherd_status accept(attempt *a, double total_before)
{
    sherd_system *s = a->system;
    double dissipated;
    sherd_status status =
        sherd_implicit_accept(s->implicit, start_weight(a), &dissipated, a->error);
    if (status != SHERD_OK) return status;
    sherd_parted_bonds parted;
    double end = a->request.time + a->request.dt;
    status = sherd_softening_rounds_accept(a->rounds, s, end, &parted, a->error);
    if (status != SHERD_OK) return status;
    a->overstress->dt = a->request.dt;
    sherd_overstress_accept(a->overstress, s);
    double yielded = sherd_bonds_update_histories(&s->bonds, &s->elements, &s->parallel);
    double elastic = stored_in_bonds(a, parted.energy);
    s->accounts.dissipated_bonds += dissipated;
    double weight = a->request.dt / s->dt, before = start_weight(a) * weight;
    s->accounts.driver_work += sherd_drivers_finish(
        &s->drivers, &s->elements.points, end, a->request.dt, before, weight - before, s->gravity);
    status = sherd_account_breaks(s, &a->breaks, end, a->error);
    if (status != SHERD_OK) return status;
    s->accounts.elastic = elastic;
    s->accounts.integration += total_before - sherd_system_closed_total(s, elastic) - yielded;
    // Loads exclude bonds that broke in a cascade.
    if (a->breaks.count > 0 && a->limits->fracture == SHERD_FRACTURE_CASCADE)
        status = extrapolate_history(s, end, a->request.dt, 0.0, a->error);
    s->path += farthest_move(a);
    a->result->breaks = a->breaks.count + parted.count;
    a->result->dt = a->request.dt;
    a->result->next = a->request.dt * allowed_factor(a, &a->outcome);
    a->result->time = a->outcome.time;
    a->result->scheme = a->outcome.scheme;
    a->result->unsettled =
        a->outcome.friction_unconverged || (accepts_all(a) && !a->outcome.newton.converged);
    return status;
}

// Sets accelerations by drivers, and the previous state.
static sherd_status begin(attempt *a, double **external, double *total)
{
    sherd_system *s = a->system;
    sherd_status status = external_accelerations(s, external, a->error);
    if (status == SHERD_OK) status = sherd_system_sample_surfaces(s, a->error);
    if (status == SHERD_OK)
        status = sherd_drivers_note_start(&s->drivers, &s->elements.points, a->error);
    if (status != SHERD_OK) return status;
    if (external[0] != NULL) a->request.external = external, a->request.set_external = set_external;
    *total = sherd_system_closed_total(s, s->accounts.elastic);
    return SHERD_OK;
}

sherd_status sherd_system_step_implicit(sherd_system *system, double dt, sherd_scheme_kind scheme,
                                        const sherd_newton_settings *newton,
                                        const sherd_step_limits *limits,
                                        sherd_implicit_result *result, sherd_error *error)
{
    *result = (sherd_implicit_result){.end = SHERD_IMPLICIT_DONE, .dt = dt};
    attempt a = {.system = system,
                 .limits = limits,
                 .rounds = sherd_implicit_softening_rounds(system->implicit),
                 .overstress = sherd_implicit_overstress(system->implicit),
                 .request = {.time = sherd_system_time(system),
                             .dt = dt,
                             .scheme = scheme,
                             .gravity = system->gravity,
                             .pose_held = pose_held,
                             .impact = limits->impact,
                             .rebound = limits->rebound,
                             .drag = limits->drag,
                             .visible_speed = limits->visible_speed,
                             .barrier = limits->barrier,
                             .manifold = limits->manifold,
                             .newton = *newton},
                 .result = result,
                 .error = error};
    a.request.context = system;
    if (limits->error > 0.0) a.request.exceeds_tolerance = exceeds_tolerance;
    a.request.tolerance_context = &a;
    double *external[3] = {NULL}, total = 0.0;
    sherd_status status = begin(&a, external, &total);
    if (status == SHERD_OK) status = sherd_softening_rounds_begin(a.rounds, system, error);
    if (status == SHERD_OK) status = sherd_overstress_begin(a.overstress, system, error);
    if (status == SHERD_OK) status = find_length(&a); // predict, contacts, Newton, friction, judge
    if (status == SHERD_OK) status = resolve_fracture(&a); // break
    if (status == SHERD_OK && result->end == SHERD_IMPLICIT_DONE) status = accept(&a, total);
    result->dt = a.request.dt;
    sherd_break_list_free(&a.breaks);
    return status;
}
