// The methods that choose each step while they run (step_control.h): implicit and auto.
#include "stepping/control/step_control.h"
#include "stepping/stepper.h"
#include "stepping/stepper_state.h"

#include <math.h>

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
