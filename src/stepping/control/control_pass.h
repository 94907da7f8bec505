// One advance of a system under step control: data shared by its stages, and their times.
#pragma once

#include "contact/obstacle_motion.h"
#include "stepping/control/step_constants.h"
#include "stepping/stepper.h"

typedef struct sherd_control_pass {
    sherd_system *system;
    const sherd_method_settings *settings;
    sherd_step_control *control;
    double until;
    sherd_after_step *after;
    void *context;
    sherd_error *error;
} sherd_control_pass;

static inline bool sherd_pass_broke_something(const sherd_control_pass *p)
{
    return isfinite(p->control->last_break);
}

// Sets the start of the pass, from which times of steps count.
static inline void sherd_pass_set_clock(sherd_system *s, double time)
{
    s->start_time = time;
    s->start_step = s->step;
}
