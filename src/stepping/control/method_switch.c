#include "stepping/control/method_switch.h"

#include "base/assertion.h"
#include "base/error.h"
#include "math/vec3.h"
#include "stepping/control/implicit_control.h"
#include "stepping/control/step_length.h"
#include "stepping/explicit/verlet_energy_offset.h"
#include "stepping/implicit/break_list.h"
#include "stepping/sleep/advance_asleep.h"
#include "stepping/sleep/rigid_sleep.h"
#include "stepping/system.h"

#include <stdbool.h>

void sherd_pass_clear_history(sherd_control_pass *p)
{
    p->control->last_sample = -INFINITY;
    if (p->system->implicit != NULL) sherd_implicit_clear_history(p->system->implicit);
}

sherd_status sherd_switch_to_implicit(sherd_control_pass *p, double dt)
{
    p->control->implicit_now = 1;
    p->control->losses = p->control->paid = 0;
    p->control->next_dt = dt;
    p->control->last_sample = -INFINITY;
    if (p->control->begun) ++p->control->counts.switches;
    return sherd_system_enter_implicit(p->system, p->control->next_dt, p->error);
}

// Starts explicit steps for at least the time `duration`.
void sherd_switch_to_explicit(sherd_control_pass *p, double duration)
{
    SHERD_ASSERT(duration >= 0.0, "time advances");
    sherd_step_control *control = p->control;
    control->implicit_now = 0;
    control->explicit_until = sherd_system_time(p->system) + duration;
    sherd_pass_clear_history(p);
    ++control->counts.switches;
    sherd_system_leave_implicit(p->system);
}

// Implicit steps cost more than expected: each following period of explicit steps is longer.
void sherd_back_off(sherd_control_pass *p, double cost)
{
    sherd_step_control *control = p->control;
    double step = p->settings->explicit_dt;
    double fraction =
        sherd_pass_broke_something(p) ? FAILURE_FRACTION_AFTER_BREAKS : FAILURE_FRACTION;
    if (control->paid >= PAID_ENOUGH) {
        control->backoff = 0.0;
    } else {
        control->backoff = fmax(2.0 * control->backoff, step * cost / fraction);
        control->backoff = fmin(control->backoff, LONGEST_PERIOD * step);
    }
    sherd_switch_to_explicit(p, control->backoff);
}

// The earliest time at which implicit steps may begin if nothing breaks until then [s].
static bool may_end_explicit_in(const sherd_control_pass *p, double later)
{
    double time = sherd_system_time(p->system) + later, limit = p->system->stable_dt;
    return time >= p->control->explicit_until &&
           time >= p->control->last_break + EXPLICIT_AFTER_BREAK * limit;
}

static double count_strained(void *context, size_t begin, size_t end)
{
    const sherd_system *s = context;
    double count = 0.0;
    for (size_t k = begin; k < end; ++k) {
        int64_t bond = (int64_t)k;
        if (s->bonds.broken[bond]) continue;
        count += sherd_bond_analyse(&s->bonds, &s->elements, bond).stress_ratio > EXPLICIT_STRESS;
    }
    return count;
}

static bool all_asleep(const sherd_control_pass *p)
{
    return sherd_sleep_count(p->system) == p->system->elements.count;
}

static void stay_explicit(const sherd_control_pass *p)
{
    p->control->explicit_until =
        sherd_system_time(p->system) + CHECK_INTERVAL * p->system->stable_dt;
}

// Cost of an explicit step relative to one in which everything is awake.
static double explicit_cost(const sherd_system *s)
{
    double fraction = (double)sherd_sleep_count(s) / s->elements.count;
    return fraction > MAX_ASLEEP_FRACTION ? fmax(1.0 - fraction, COST_ASLEEP) : 1.0;
}

// Sleepers cost explicit steps almost nothing, but all would have to wake for implicit ones, so
// they should be in a region of their own. If the awake elements are too near or too few for that,
// the cost decides, or with steps of a given length the majority.
static bool sleepers_object(const sherd_control_pass *p)
{
    const sherd_system *s = p->system;
    sherd_element_index asleep = sherd_sleep_count(s);
    if (asleep == 0) return false;
    double time = sherd_system_time(s);
    if (p->settings->regions && time > p->control->sought_at + DIVISION_INTERVAL * s->stable_dt) {
        p->control->divide_at = time;
        stay_explicit(p);
        return true;
    }
    if (!(p->settings->fixed_dt > 0.0) || explicit_cost(s) == 1.0) return false;
    stay_explicit(p);
    return true;
}

// Positions of elements are up to date.
static bool is_near_strength(sherd_system *s)
{
    return sherd_parallel_sum(&s->parallel, (size_t)s->bonds.count, SHERD_SYSTEM_CHUNK,
                              count_strained, s) > 0.0 ||
           sherd_find_element_stresses(s) > EXPLICIT_STRESS;
}

// If a crack is about to grow, its next jump should happen in explicit steps.
static bool strained(sherd_control_pass *p)
{
    sherd_system *s = p->system;
    sherd_system_synchronize(s);
    sherd_sleep_update_poses(s);
    if (!is_near_strength(s)) return false;
    stay_explicit(p);
    return true;
}

// Free bodies that rebound stay in contact for long if the material is soft. Their rebound should
// happen in explicit steps, which keep its energy.
static bool rebounds(sherd_control_pass *p)
{
    sherd_system *s = p->system;
    if (s->contacts == NULL || s->implicit == NULL) return false;
    sherd_system_synchronize(s);
    if (sherd_contacts_fastest_rebound(s->contacts) <= sherd_visible_rebound(p)) return false;
    stay_explicit(p);
    return true;
}

// Only explicit steps resolve this vibration: the period of explicit steps is longer every time.
static void leave_ringing(sherd_control_pass *p)
{
    sherd_step_control *control = p->control;
    double limit = p->system->stable_dt, longest = LONGEST_RINGING * limit;
    control->ring_wait = fmin(fmax(2.0 * control->ring_wait, CHECK_INTERVAL * limit), longest);
    control->ring_check = sherd_system_time(p->system) + control->ring_wait;
    sherd_pass_clear_history(p);
}

// Samples the possible step length at intervals; 0: not worthwhile, or not yet known [s].
static sherd_status sample_motion(sherd_control_pass *p, double *worth, sherd_error *error)
{
    sherd_step_control *control = p->control;
    double time = sherd_system_time(p->system), step = p->settings->explicit_dt;
    double h = time - control->last_sample;
    *worth = 0.0;
    if (h < (1.0 - 1e-9) * SAMPLE_INTERVAL * step) return SHERD_OK;
    sherd_time_error judged;
    sherd_status status =
        sherd_system_sample_history(p->system, isfinite(h) ? h : 0.0, &judged, error);
    if (status != SHERD_OK) return status;
    bool known = isfinite(judged.bend);
    control->last_sample = time;
    control->cost = fmax(COST_REMEMBERED * control->cost,
                         sherd_pass_broke_something(p) ? COST_AFTER_BREAKS : MIN_COST);
    if (!known) return SHERD_OK;
    sherd_step_limits limits = sherd_step_limits_of(p, h);
    limits.loss = INFINITY;
    sherd_scheme_kind scheme = sherd_step_scheme(p->settings);
    double dt = h * sherd_step_allowed_factor(&limits, &judged, scheme, 0.0, h);
    double min_benefit = WORTH_ENTERING * control->cost * step / explicit_cost(p->system);
    if (dt < min_benefit) return SHERD_OK;
    if (sherd_limits_by_ringing(p)) status = sherd_find_pass_ringing(p);
    dt = fmin(dt, sherd_step_longest(p, &judged, scheme, h));
    if (dt >= min_benefit)
        *worth = fmin(dt, LONGEST_ENTRY * step);
    else
        leave_ringing(p);
    return status;
}

// Ratio of strain energy to kinetic energy below which bonds are undeformed up to rounding.
static const double UNSTRAINED = 1e-9;

static double kinetic_range(void *context, size_t begin, size_t end)
{
    const sherd_elements *e = context;
    double sum = 0.0;
    for (size_t at = begin; at < end; ++at) {
        sherd_element_index k = (sherd_element_index)at;
        sherd_vec3 v = sherd_element_velocity(e, k);
        sum += 0.5 * sherd_element_mass(e, k) * vec3_dot(v, v);
    }
    return sum;
}

// Whether a run begins with bodies in free flight, so that large steps are possible from the start:
// true if there is no driver, no element near an obstacle, no contact, and no strained bond. Lists
// contacts and computes loads.
static sherd_status is_in_flight(sherd_system *system, bool *flies, sherd_error *error)
{
    *flies = false;
    if (system->drivers.count > 0) return SHERD_OK;
    sherd_status status = sherd_system_update_forces(system, error);
    if (status != SHERD_OK) return status;
    if (system->contacts != NULL && !sherd_contacts_nothing_near(system->contacts)) return SHERD_OK;
    sherd_elements *e = &system->elements;
    double kinetic = sherd_parallel_sum(&system->parallel, (size_t)e->count, SHERD_SYSTEM_CHUNK,
                                        kinetic_range, e);
    double elastic = sherd_bonds_energy(&system->bonds, e, &system->parallel);
    *flies = elastic < UNSTRAINED * kinetic;
    return SHERD_OK;
}

// Bodies that begin in free flight sleep, which is exact and costs almost nothing, or take large
// steps.
static sherd_status begin_flight(const sherd_control_pass *p, double *dt)
{
    bool flies, asleep = false;
    sherd_status status = is_in_flight(p->system, &flies, p->error);
    if (status == SHERD_OK && flies) status = sherd_sleep_all(p->system, true, &asleep, p->error);
    if (status == SHERD_OK && flies && !asleep) status = sherd_find_pass_ringing(p);
    if (!flies || asleep || sherd_explicit_keeps_ringing(p, *dt)) *dt = 0.0;
    return status;
}

// The length of the first implicit step, 0: explicit steps continue [s].
sherd_status sherd_consider_implicit(sherd_control_pass *p, double *dt)
{
    const sherd_method_settings *settings = p->settings;
    *dt = FIRST_STEP * settings->explicit_dt;
    if (!settings->may_switch) return SHERD_OK;
    if (!p->control->begun && !(settings->fixed_dt > 0.0)) {
        sherd_status status = begin_flight(p, dt);
        if (status != SHERD_OK || *dt > 0.0) return status;
    }
    if (all_asleep(p)) {
        *dt = 0.0;
        return SHERD_OK;
    }
    if (!(settings->fixed_dt > 0.0)) {
        double looks = (SHERD_TRAIL_LENGTH + 1) * SAMPLE_INTERVAL * settings->explicit_dt;
        *dt = 0.0;
        bool soon = sherd_system_time(p->system) + looks >= p->control->ring_check;
        sherd_status status =
            soon && may_end_explicit_in(p, looks) ? sample_motion(p, dt, p->error) : SHERD_OK;
        if (status != SHERD_OK || *dt == 0.0) return status;
    }
    if (!may_end_explicit_in(p, 0.0) || strained(p) || rebounds(p) || sleepers_object(p)) *dt = 0.0;
    return SHERD_OK;
}

// Updates loads and lists as explicit steps do, to check which bodies may sleep.
static sherd_status list_all(sherd_system *s, sherd_error *error)
{
    s->forces_valid = false;
    return sherd_system_update_forces(s, error);
}

// Quiescent bodies in flight should sleep: explicit steps then move them exactly. This pays only if
// nothing is near any body.
static sherd_status sleep_in_flight(const sherd_control_pass *p, bool *asleep)
{
    sherd_system *s = p->system;
    if (s->drivers.count > 0) return SHERD_OK;
    sherd_status status = list_all(s, p->error);
    if (status == SHERD_OK && (s->contacts == NULL || sherd_contacts_nothing_near(s->contacts)))
        status = sherd_sleep_all(s, false, asleep, p->error);
    if (status == SHERD_OK && !*asleep) sherd_verlet_energy_end(s); // implicit steps continue
    return status;
}

static bool some_are_held(const sherd_drivers *drivers)
{
    for (int d = 0; d < drivers->count; ++d)
        if (drivers->drivers[d].drive != SHERD_DRIVE_NONE && drivers->drivers[d].count > 0)
            return true;
    return false;
}

// Advances time in one go while everything is asleep at rest and undisturbed for longer than a
// step. Bonds whose damage grows with time are stepped awake.
static sherd_status sleep_at_rest(const sherd_control_pass *p, bool *asleep)
{
    sherd_system *s = p->system;
    bool still = false;
    if (some_are_held(&s->drivers)) return SHERD_OK;
    sherd_status status = sherd_sleep_note_rest(s, &still, p->error);
    if (status != SHERD_OK || !still || is_near_strength(s)) return status;
    status = list_all(s, p->error);
    double step = p->control->next_dt;
    if (status == SHERD_OK && sherd_system_at_rest_for(s, step) >= step)
        status = sherd_sleep_all_at_rest(s, asleep, p->error);
    if (status == SHERD_OK && !*asleep) sherd_verlet_energy_end(s);
    return status;
}

sherd_status sherd_fall_asleep(sherd_control_pass *p)
{
    sherd_system *s = p->system;
    double time = sherd_system_time(s);
    if (!s->sleep.enabled || p->settings->fixed_dt > 0.0 || !p->settings->may_switch ||
        !p->control->implicit_now || time < p->control->sleep_check)
        return SHERD_OK;
    p->control->sleep_check = time + SHERD_SLEEP_INTERVAL * p->settings->explicit_dt;
    bool asleep = false;
    sherd_status status = sherd_implicit_touches(s->implicit) ? sleep_at_rest(p, &asleep)
                                                              : sleep_in_flight(p, &asleep);
    if (status == SHERD_OK && asleep) sherd_switch_to_explicit(p, 0.0);
    return status;
}
