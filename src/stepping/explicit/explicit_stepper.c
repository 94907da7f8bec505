// The explicit method: steps of constant length, chosen before the first.
#include "base/error.h"
#include "stepping/explicit/substeps.h"
#include "stepping/sleep/rigid_sleep.h"
#include "stepping/stepper.h"
#include "stepping/stepper_state.h"

#include <math.h>

static sherd_status choose_time_step(sherd_system *s, const sherd_method_settings *settings,
                                     sherd_error *error)
{
    if (settings->given_dt > 0.0) {
        s->dt = settings->given_dt;
        return SHERD_OK;
    }
    double limit;
    sherd_status status = sherd_system_stable_time_step(s, &limit, error);
    if (status != SHERD_OK) return status;
    if (s->step == 0) s->stable_dt = limit;
    s->dt = settings->safety * limit;
    return SHERD_OK;
}

// If the length of steps is not set yet, it is chosen to divide the time to `until`.
static sherd_status prepare(sherd_system *s, sherd_method_settings *settings, double until,
                            sherd_error *error)
{
    if (s->dt > 0.0) return SHERD_OK;
    sherd_status status = choose_time_step(s, settings, error);
    if (status != SHERD_OK) return status;
    double steps = ceil(until / s->dt * (1.0 - 1e-12));
    if (steps >= 1.0 && isfinite(steps)) s->dt = until / steps;
    return SHERD_OK;
}

// Number of steps to the goal.
static sherd_status count_steps(const sherd_system *s, const sherd_advance_goal *goal,
                                int64_t *count, sherd_error *error)
{
    static const double TIME_TOLERANCE =
        1e-6; // of a step: far above rounding, far below any effect
    *count = goal->max_steps;
    if (goal->until == INFINITY) return SHERD_OK;
    double time = sherd_system_time(s), steps = (goal->until - time) / s->dt,
           whole = floor(steps + 0.5);
    if (!(steps > -TIME_TOLERANCE && whole < 0x1p53))
        return sherd_fail_past(time, goal->until, error);
    if (fabs(steps - whole) > TIME_TOLERANCE)
        return sherd_fail(error, SHERD_ERROR_INPUT, "until",
                          "choose a time step that divides it, with sherd_world_set_time_step",
                          "is %.9g explicit steps of %g s away, not a whole number", steps, s->dt);
    if (whole < (double)goal->max_steps) *count = (int64_t)whole;
    return SHERD_OK;
}

static sherd_status advance(sherd_system *s, const sherd_method_settings *settings,
                            const sherd_advance_goal *goal, sherd_error *error)
{
    (void)settings;
    int64_t count;
    sherd_status status = count_steps(s, goal, &count, error);
    if (status != SHERD_OK) return status;
    for (int64_t k = 0; k < count && status == SHERD_OK; ++k)
        status = sherd_system_step_split(s, goal->after, goal->context, error);
    sherd_system_synchronize(s);
    sherd_sleep_update_poses(s);
    return status;
}

static double last_dt(const sherd_system *s)
{
    return s->dt;
}

static sherd_solver_counts counts(const sherd_system *s)
{
    return (sherd_solver_counts){.explicit_steps = s->step,
                                 .asleep_steps = s->control.counts.asleep_steps};
}

const sherd_stepper sherd_stepper_explicit = {
    .explicit_steps = true,
    .even_steps = true,
    .prepare = prepare,
    .advance = advance,
    .stable_dt = sherd_system_stable_time_step,
    .last_dt = last_dt,
    .counts = counts,
    .save = sherd_stepper_save,
    .restore = sherd_stepper_restore,
};
