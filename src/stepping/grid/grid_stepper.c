// Explicit steps of a grid, for worlds with material points: each as long as waves and points allow, shortened so that a
// whole number of them leads to the goal.
#include "base/error.h"
#include "models/mpm/mpm_model.h"
#include "stepping/grid/grid_guests.h"
#include "stepping/grid/grid_part.h"
#include "stepping/grid/grid_step.h"
#include "stepping/stepper.h"
#include "stepping/stepper_state.h"

#include <math.h>

static sherd_status stable_dt(const sherd_system *s, double *time_step, sherd_error *error)
{
    sherd_mpm *m = &((sherd_system *)(uintptr_t)s)->points->m;
    if (m->accounts.fastest > 0.0) {
        *time_step = sherd_mpm_longest_dt(m);
        return SHERD_OK;
    }
    sherd_status status = sherd_mpm_stable_dt(m, time_step, error);
    m->sorted = false; // walls were not known
    return status;
}

static sherd_status prepare(sherd_system *s, sherd_method_settings *settings, double until,
                            sherd_error *error)
{
    (void)settings;
    double limit, time = sherd_system_time(s);
    sherd_status status = stable_dt(s, &limit, error);
    if (status != SHERD_OK) return status;
    if (s->step == 0) s->stable_dt = limit;
    return until >= time ? SHERD_OK : sherd_fail_past(time, until, error);
}

static const double LONGEST_WAY = 0.2; // of an element or free body in a step [h]

// Gravity and walls may have made points faster since the last step: c + |v| grows by a small share in one.
static double choose_dt(const sherd_system *s, const sherd_method_settings *settings,
                        const sherd_advance_goal *goal, bool *last)
{
    double longest = settings->safety * sherd_mpm_longest_dt(&s->points->m),
           left = goal->until - sherd_system_time(s), speed = sherd_grid_guests_speed(s);
    if (speed > 0.0) longest = fmin(longest, LONGEST_WAY * s->points->m.def.spacing / speed);
    if (settings->given_dt > 0.0) longest = settings->given_dt;
    double steps = ceil(left / longest * (1.0 - 1e-12));
    *last = !(steps > 1.0);
    if (!isfinite(steps)) return longest;
    return left / fmax(steps, 1.0);
}

static sherd_status advance(sherd_system *s, const sherd_method_settings *settings,
                            const sherd_advance_goal *goal, sherd_error *error)
{
    sherd_grid_step step;
    sherd_status status = sherd_grid_step_make(&step, s, error);
    for (int64_t k = 0; k < goal->most_steps && status == SHERD_OK; ++k) {
        double time = sherd_system_time(s);
        if (!(goal->until > time)) break;
        bool last;
        double dt = choose_dt(s, settings, goal, &last);
        status =
            sherd_system_step_grid(s, &step, settings, dt, last ? goal->until : time + dt, error);
        if (status == SHERD_OK && goal->after != NULL) goal->after(goal->context, dt);
    }
    sherd_grid_step_free(&step);
    sherd_point_bodies_tell(s->points, &s->elements);
    return status == SHERD_OK ? sherd_grid_part_show(s, error) : status;
}

static double last_dt(const sherd_system *s)
{
    return s->dt;
}

static sherd_solver_counts counts(const sherd_system *s)
{
    return (sherd_solver_counts){.explicit_steps = s->step};
}

const sherd_stepper sherd_stepper_grid = {
    .explicit_steps = true,
    .prepare = prepare,
    .advance = advance,
    .stable_dt = stable_dt,
    .last_dt = last_dt,
    .counts = counts,
    .save = sherd_stepper_save,
    .restore = sherd_stepper_restore,
};
