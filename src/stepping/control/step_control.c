#include "stepping/control/step_control.h"

#include "base/error.h"
#include "stepping/control/control_pass.h"
#include "stepping/control/implicit_control.h"
#include "stepping/control/method_switch.h"
#include "stepping/control/step_length.h"
#include "stepping/control/tunnelling_bound.h"
#include "stepping/explicit/substeps.h"
#include "stepping/explicit/verlet_energy_offset.h"
#include "stepping/sleep/advance_asleep.h"
#include "stepping/sleep/rigid_sleep.h"
#include "stepping/stepper_state.h"

#include <math.h>

static double remaining_time(const sherd_control_pass *p)
{
    return p->until - sherd_system_time(p->system);
}

static void use_explicit_dt(sherd_control_pass *p)
{
    sherd_system *s = p->system;
    double dt = sherd_step_fitting(p, p->settings->explicit_dt, p->until);
    if (fabs(dt - s->dt) <= 1e-10 * dt) return; // rounding of times
    sherd_system_synchronize(s);
    sherd_sleep_renew(s);
    sherd_pass_set_clock(s, sherd_system_time(s));
    sherd_system_change_step(s, dt);
}

static sherd_status explicit_step(sherd_control_pass *p)
{
    sherd_system *s = p->system;
    int64_t broken = s->bonds.broken_count;
    use_explicit_dt(p);
    sherd_status status = sherd_system_step_split(s, p->after, p->context, p->error);
    if (status != SHERD_OK) return status;
    ++p->control->counts.explicit_steps;
    p->control->last_dt = s->dt;
    if (s->bonds.broken_count > broken) {
        p->control->last_break = sherd_system_time(s);
        sherd_pass_clear_history(p);
    }
    return SHERD_OK;
}

static sherd_status fail_too_fast(const sherd_control_pass *p, double dt, double safe_time)
{
    return sherd_fail(
        p->error, SHERD_ERROR_UNSTABLE, "implicit step",
        "check speeds and units, use method auto, or give a smaller time_step",
        "at time %g s bodies would pass through each other unless a time_step of %g s "
        "is made in parts of %g s",
        sherd_system_time(p->system), dt, safe_time);
}

// Advances to the time `until`, or to the end of an earlier step.
static sherd_status make_part(sherd_control_pass *p, double dt, double until)
{
    sherd_system *s = p->system;
    sherd_implicit_result result;
    double time = sherd_system_time(s);
    sherd_status status = sherd_try_step(p, dt, &result);
    if (status != SHERD_OK) return status;
    if (result.end != SHERD_IMPLICIT_DONE) return sherd_fail_step(p, &result);
    bool there = fabs(until - (time + result.dt)) < 1e-9 * result.dt;
    sherd_pass_set_clock(s, there ? until : time + result.dt);
    if (result.breaks > 0) p->control->last_break = sherd_system_time(s);
    p->control->last_dt = result.dt;
    ++s->split.parts;
    p->after(p->context, result.dt / s->dt);
    return SHERD_OK;
}

static sherd_status step_in_parts(sherd_control_pass *p, double dt, double safe_time)
{
    sherd_system *s = p->system;
    double until = sherd_system_time(s) + dt;
    if (fabs(p->until - until) < 1e-9 * dt) until = p->until;
    int64_t parts = s->split.parts, unsettled = p->control->counts.unsettled_steps;
    sherd_status status = SHERD_OK;
    while (status == SHERD_OK && sherd_system_time(s) < until) {
        double part = sherd_step_fitting(p, safe_time, until);
        if (safe_time < SHORTEST_PART * dt && part < until - sherd_system_time(s))
            return fail_too_fast(p, dt, safe_time);
        status = make_part(p, part, until);
        double remaining = until - sherd_system_time(s);
        if (status == SHERD_OK && remaining > 0.0)
            status = sherd_system_tunnelling_bound(s, remaining, &safe_time, p->error);
    }
    if (status != SHERD_OK) return status;
    ++s->step;
    sherd_pass_set_clock(s, until);
    sherd_solver_counts *counts = &p->control->counts;
    ++counts->implicit_steps;
    if (counts->unsettled_steps > unsettled) counts->unsettled_steps = unsettled + 1;
    ++s->split.steps;
    parts = s->split.parts - parts;
    s->split.max_substeps = parts > s->split.max_substeps ? parts : s->split.max_substeps;
    return SHERD_OK;
}

// Implicit steps of a given constant length. A step in which bodies would pass through each other
// is made in parts; frames and step counts are those of whole steps. [RBDEM] Algorithm 1 has no such parts.
static sherd_status fixed_step(sherd_control_pass *p)
{
    double dt = sherd_step_fitting(p, p->settings->fixed_dt, sherd_step_next_stop(p)), safe_time;
    // [IBDEM25] has no bound on what passes through what.
    if (p->settings->optimizer != SHERD_STEP_OPTIMIZER_NEWTON)
        return sherd_one_implicit_step(p, dt);
    if (p->settings->scheme == SHERD_SCHEME_LINEAR_EULER) return sherd_one_implicit_step(p, dt);
    sherd_status status = sherd_system_tunnelling_bound(p->system, dt, &safe_time, p->error);
    if (status != SHERD_OK) return status;
    return safe_time < dt ? step_in_parts(p, dt, safe_time) : sherd_one_implicit_step(p, dt);
}

static sherd_status implicit_step(sherd_control_pass *p)
{
    const sherd_method_settings *settings = p->settings;
    if (settings->fixed_dt > 0.0 && !settings->may_switch) return fixed_step(p);
    double dt = sherd_step_before_danger(p, settings->fixed_dt > 0.0 ? settings->fixed_dt
                                                                     : p->control->next_dt);
    // Motions are those of the step: it ends at the next stop, where they may change.
    if (dt > 0.0) dt = sherd_step_fitting(p, dt, sherd_step_next_stop(p));
    sherd_status status = sherd_step_limit_tunnelling(p, &dt);
    if (status != SHERD_OK) return status;
    if (dt == 0.0 || sherd_explicit_keeps_ringing(p, dt)) {
        sherd_switch_to_explicit(p, EXPLICIT_AFTER_BREAK * p->system->stable_dt);
        return SHERD_OK;
    }
    return sherd_one_implicit_step(p, sherd_step_fitting(p, dt, sherd_step_next_stop(p)));
}

// If everything is asleep: advances to the next stop, or as long as nothing can be disturbed.
// *passed: time has advanced.
static sherd_status pass_asleep(const sherd_control_pass *p, bool *passed)
{
    sherd_system *s = p->system;
    *passed = false;
    if (!p->settings->may_switch || p->control->implicit_now) return SHERD_OK;
    double time = sherd_system_time(s), stop = sherd_step_next_stop(p), dt;
    sherd_status status = sherd_system_undisturbed(s, stop - time, &dt, p->error);
    if (status != SHERD_OK || dt == 0.0) return status;
    sherd_system_pass_time(s, dt);
    sherd_pass_set_clock(s, dt < stop - time ? time + dt : stop);
    ++p->control->counts.explicit_steps;
    ++p->control->counts.asleep_steps;
    p->after(p->context, dt / s->dt);
    *passed = true;
    return SHERD_OK;
}

static sherd_status one_step(sherd_control_pass *p)
{
    sherd_step_control *control = p->control;
    bool passed;
    sherd_status passing = pass_asleep(p, &passed);
    if (passing != SHERD_OK || passed) return passing;
    if (!control->implicit_now && !p->settings->explicit_only) {
        double dt;
        sherd_status status = sherd_consider_implicit(p, &dt);
        if (status == SHERD_OK && dt > 0.0) status = sherd_switch_to_implicit(p, dt);
        if (status != SHERD_OK) return status;
    }
    control->begun = 1;
    return control->implicit_now ? implicit_step(p) : explicit_step(p);
}

// True if it is time to search for regions: not while the whole world takes implicit steps.
static bool may_divide(const sherd_control_pass *p)
{
    const sherd_step_control *control = p->control;
    return p->settings->regions && !p->system->is_part && control->begun &&
           !control->implicit_now && sherd_system_time(p->system) >= control->divide_at &&
           sherd_sleep_count(p->system) < p->system->elements.count;
}

sherd_status sherd_system_advance_alone(sherd_system *system, const sherd_method_settings *settings,
                                        const sherd_advance_goal *goal, sherd_error *error)
{
    double until = goal->until;
    sherd_control_pass p = {system,        settings, &system->control, until, goal->after,
                            goal->context, error};
    if (!system->control.begun)
        system->control.last_break = system->control.last_sample = system->control.danger_by =
            -INFINITY;
    sherd_status status = SHERD_OK;
    if (until != system->control.stop) {
        system->control.interval = until - system->control.stop;
        system->control.stop = until;
    }
    int64_t before = system->step;
    while (status == SHERD_OK && remaining_time(&p) > 1e-9 * settings->explicit_dt &&
           !may_divide(&p) && !(system->is_part && system->path > system->path_limit) &&
           system->step - before < goal->max_steps)
        status = one_step(&p);
    sherd_system_synchronize(system);
    sherd_sleep_update_poses(system);
    return status;
}

double sherd_step_control_work(const sherd_solver_counts *counts)
{
    return (double)counts->explicit_steps + NEWTON_COST * (double)counts->newton_iterations +
           LINEAR_COST * (double)counts->linear_iterations;
}

// ---------------------------------------------------------------- rows of the table of methods

// The methods that choose each step while they run: implicit and auto.

// All methods measure steps in stability limits. A restored world keeps the limit of the saved one.
static sherd_status choose_lengths(sherd_system *s, sherd_method_settings *settings,
                                   sherd_error *error)
{
    if (settings->explicit_dt > 0.0) return SHERD_OK;
    sherd_status status = SHERD_OK;
    double limit = s->stable_dt;
    if (!(limit > 0.0)) status = sherd_system_stable_time_step(s, &limit, error);
    if (status != SHERD_OK) return status;
    s->stable_dt = limit;
    settings->explicit_dt = settings->safety * limit;
    if (s->dt == 0.0) s->dt = settings->explicit_dt;
    settings->fixed_dt =
        settings->given_dt > 0.0 ? settings->given_dt : settings->given_limits * limit;
    return SHERD_OK;
}

static sherd_status prepare(sherd_system *s, sherd_method_settings *settings, double until,
                            sherd_error *error)
{
    sherd_status status = choose_lengths(s, settings, error);
    if (status != SHERD_OK) return status;
    double time = sherd_system_time(s);
    bool ahead = until >= time - 1e-6 * s->dt && isfinite(until);
    return ahead ? SHERD_OK : sherd_fail_past(time, until, error);
}

double sherd_controlled_last_dt(const sherd_system *s)
{
    return s->control.last_dt;
}

sherd_solver_counts sherd_controlled_counts(const sherd_system *s)
{
    return s->control.counts;
}

#define CONTROLLED                                                                                 \
    .implicit_steps = true, .prepare = prepare, .advance = sherd_system_advance_alone,             \
    .stable_dt = sherd_system_stable_time_step, .last_dt = sherd_controlled_last_dt,               \
    .counts = sherd_controlled_counts, .save = sherd_stepper_save,                                 \
    .restore = sherd_stepper_restore

const sherd_stepper sherd_stepper_implicit = {CONTROLLED};
const sherd_stepper sherd_stepper_auto = {CONTROLLED, .explicit_steps = true};
