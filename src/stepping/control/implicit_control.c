#include "stepping/control/implicit_control.h"

#include "base/assertion.h"
#include "base/error.h"
#include "stepping/control/method_switch.h"
#include "stepping/control/step_length.h"
#include "stepping/control/vibration.h"
#include "stepping/explicit/closing_limit.h"

static double cost_of(const sherd_implicit_result *result)
{
    return NEWTON_COST * (1 + result->newton) + LINEAR_COST * result->linear +
           COARSE_COST * result->coarse;
}

sherd_status sherd_fail_step(const sherd_control_pass *p, const sherd_implicit_result *result)
{
    return sherd_fail(p->error, SHERD_ERROR_UNSTABLE, "implicit step",
                      "use method auto, or a smaller time_step or larger accuracy",
                      "fails at time %g s even with a step of %g s", sherd_system_time(p->system),
                      result->dt);
}

// The implicit step would lead into an impact or past a break. Shorter steps up to that event still
// pay (before_danger).
static sherd_status reject_step(sherd_control_pass *p, const sherd_implicit_result *result)
{
    ++p->control->counts.rejected_steps;
    if (!p->settings->may_switch) return sherd_fail_step(p, result);
    if (result->end == SHERD_IMPLICIT_TOO_SHORT)
        sherd_back_off(p, cost_of(result));
    else
        p->control->danger_by = sherd_system_time(p->system) + result->danger_in;
    return SHERD_OK;
}

static void after_implicit(sherd_control_pass *p, const sherd_implicit_result *result, double time)
{
    sherd_system *s = p->system;
    sherd_step_control *control = p->control;
    ++s->step;
    ++control->counts.implicit_steps;
    bool there = fabs(p->until - (time + result->dt)) < 1e-9 * result->dt;
    sherd_pass_set_clock(s, there ? p->until : time + result->dt);
    if (result->breaks > 0) control->last_break = sherd_system_time(s);
    control->last_dt = result->dt;
    control->next_dt = fmax(sherd_step_settled_length(result), p->settings->explicit_dt);
    p->after(p->context, result->dt / s->dt);
    if (!p->settings->may_switch || p->settings->fixed_dt > 0.0) return;
    control->cost = cost_of(result);
    double loss = control->cost - result->dt / p->settings->explicit_dt;
    // While step lengths grow, the benefit of steps is not known yet. If every stop shortens them,
    // it is.
    bool grows = fmin(control->next_dt, control->interval) > 1.5 * result->dt;
    if (loss < 0.0) control->losses = 0, ++control->paid, control->ring_wait = 0.0;
    if (loss >= 0.0 && !grows) ++control->losses;
    if (control->losses >= MAX_LOSSES || loss > MAX_LOSS) sherd_back_off(p, control->cost);
}

// Budget of iterations of a step.
static double budget_of(const sherd_control_pass *p, double dt)
{
    double steps = dt / p->settings->explicit_dt;
    if (sherd_pass_broke_something(p)) return BUDGET_AFTER_BREAKS + steps / STEPS_AFTER_BREAKS;
    return BUDGET + steps / STEPS_AN_ITERATION;
}

// The `curved` setting of Newton's method: depends on whether something rotates as a whole.
static double curved_fraction(const sherd_control_pass *p, double dt)
{
    double angle = p->control->tumbling * dt;
    return angle > 0.0 ? fmin(fmax(angle, MIN_CURVED_FRACTION), 1.0) : 1.0;
}

// Bodies that springs cannot stop would pass through each other, however short steps are.
static void note_passing(sherd_system *s)
{
    s->split.deepest = fmax(s->split.deepest, sherd_system_passing_depth(s));
}

sherd_status sherd_try_step(sherd_control_pass *p, double dt, sherd_implicit_result *result)
{
    const sherd_method_settings *settings = p->settings;
    sherd_newton_settings newton = sherd_newton_settings_default();
    newton.tolerance = fmin(newton.tolerance, FRACTION_OF_A_STEP * settings->accuracy);
    sherd_step_limits limits = sherd_step_limits_of(p, dt);
    newton.move_tolerance = limits.error / NEWTON_PARTS;
    newton.move_floor = limits.move_floor;
    newton.curved = curved_fraction(p, dt);
    limits.manifold = (sherd_manifold_settings){.algorithm = settings->optimizer,
                                                .as_printed = settings->as_printed,
                                                .tolerance = 0.1 * settings->accuracy,
                                                .explicit_dt = settings->explicit_dt};
    if (settings->may_switch && settings->fixed_dt == 0.0) newton.budget = budget_of(p, dt);
    double since = sherd_clock_seconds();
    sherd_status status = sherd_system_step_implicit(p->system, dt, sherd_step_scheme(settings),
                                                     &newton, &limits, result, p->error);
    p->system->times.implicit += sherd_clock_lap(&since);
    sherd_solver_counts *counts = &p->control->counts;
    counts->newton_iterations += result->newton;
    counts->linear_iterations += result->linear;
    counts->rejected_steps += result->rejected;
    if (status != SHERD_OK || result->end != SHERD_IMPLICIT_DONE) return status;
    counts->unsettled_steps += result->unsettled;
    note_passing(p->system);
    return SHERD_OK;
}

bool sherd_limits_by_ringing(const sherd_control_pass *p)
{
    return p->settings->may_switch && p->settings->fixed_dt == 0.0;
}

sherd_status sherd_find_pass_ringing(const sherd_control_pass *p)
{
    sherd_step_control *control = p->control;
    sherd_ringing_found found;
    sherd_status status = sherd_system_find_ringing(p->system, &found, p->error);
    if (status != SHERD_OK) return status;
    control->ring_power = found.power;
    control->ring_stress = found.stress;
    control->tumbling = found.tumbling;
    control->ring_unchecked = 0;
    return SHERD_OK;
}

// A sample costs about two explicit steps. Vibrations below half of the threshold need more than a
// step or two to reach it, unless an excitation shortens steps.
static bool may_ring_now(const sherd_control_pass *p, const sherd_implicit_result *result)
{
    const sherd_step_control *control = p->control;
    if (!sherd_limits_by_ringing(p)) return false;
    return control->ring_stress > 0.5 * SHERD_RINGING_STRESS ||
           control->ring_unchecked >= RING_UNCHECKED ||
           result->dt < RING_SHORTENED * control->ring_dt || result->rejected > 0;
}

// After an implicit step: shortens the next one for vibrations, and samples if a vibration may have
// begun.
static sherd_status keep_ringing(const sherd_control_pass *p, const sherd_implicit_result *result)
{
    sherd_step_control *control = p->control;
    sherd_status status = SHERD_OK;
    bool look = may_ring_now(p, result);
    control->ring_dt = result->dt;
    ++control->ring_unchecked;
    if (look) status = sherd_find_pass_ringing(p);
    double longest = sherd_step_longest(p, &result->time, result->scheme, result->dt);
    control->next_dt = fmin(control->next_dt, longest);
    return status;
}

// True if something rings or tumbles, and steps short enough to resolve it cost more than explicit
// ones. Tumbling that allows longer steps is no reason: something else shortened this one.
bool sherd_explicit_keeps_ringing(const sherd_control_pass *p, double dt)
{
    const sherd_step_control *control = p->control;
    double worth = fmax(SHORTEST_STEP, control->cost) * p->settings->explicit_dt;
    if (dt >= worth) return false;
    return control->ring_power > 0.0 || control->tumbling * worth > TUMBLING_ANGLE;
}

sherd_status sherd_one_implicit_step(sherd_control_pass *p, double dt)
{
    SHERD_ASSERT(dt > 0.0 && isfinite(dt), "time advances");
    double time = sherd_system_time(p->system);
    sherd_implicit_result result;
    sherd_status status = sherd_try_step(p, dt, &result);
    if (status != SHERD_OK) return status;
    if (result.end != SHERD_IMPLICIT_DONE) return reject_step(p, &result);
    after_implicit(p, &result, time);
    status = keep_ringing(p, &result);
    return status == SHERD_OK ? sherd_fall_asleep(p) : status;
}
