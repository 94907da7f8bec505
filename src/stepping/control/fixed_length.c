#include "stepping/control/fixed_length.h"

#include "base/error.h"
#include "stepping/control/implicit_control.h"
#include "stepping/control/step_length.h"
#include "stepping/control/tunnelling_bound.h"

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

sherd_status sherd_fixed_step(sherd_control_pass *p)
{
    double dt = sherd_step_fitting(p, p->settings->fixed_dt, sherd_step_next_stop(p)), safe_time;
    sherd_status status = sherd_system_tunnelling_bound(p->system, dt, &safe_time, p->error);
    if (status != SHERD_OK) return status;
    return safe_time < dt ? step_in_parts(p, dt, safe_time) : sherd_one_implicit_step(p, dt);
}
