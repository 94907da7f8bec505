#include "run/step_plan.h"

#include <math.h>
#include <stdio.h>

// Explicit steps: as long as may be, with a whole number of them in a sample.
static void plan_explicit_steps(step_plan *plan, const sherd_world_def *world)
{
    double most = world->time_step > 0.0 ? world->time_step : world->time_step_safety * plan->limit;
    double samples = (double)plan->samples_per_frame;
    double steps = ceil(plan->interval / most / samples * (1.0 - 1e-12));
    plan->steps_per_sample = (int64_t)fmax(steps, 1.0);
    plan->dt = plan->interval / (double)(plan->samples_per_frame * plan->steps_per_sample);
}

step_plan step_plan_make(const sherd_scene *scene, double stable_time_step)
{
    const sherd_scene_output *out = &scene->output;
    step_plan plan = {.limit = stable_time_step, .interval = 1.0 / out->frame_rate};
    plan.samples_per_frame = (int64_t)fmax(1.0, floor(out->probe_rate / out->frame_rate + 0.5));
    plan.frames = (int64_t)fmax(1.0, ceil(scene->duration * out->frame_rate - 1e-9));
    if (scene->world.method == SHERD_METHOD_EXPLICIT) plan_explicit_steps(&plan, &scene->world);
    return plan;
}

int64_t step_plan_samples(const step_plan *plan, const sherd_world *world)
{
    if (plan->steps_per_sample > 0) return sherd_world_step_count(world) / plan->steps_per_sample;
    double samples = (double)plan->samples_per_frame / plan->interval * sherd_world_time(world);
    return (int64_t)floor(samples + 1e-6); // times are exact to rounding
}

double step_plan_next_stop(const step_plan *plan, const sherd_world *world)
{
    int64_t next = step_plan_samples(plan, world) + 1;
    if (plan->steps_per_sample == 0)
        return (double)next * plan->interval / (double)plan->samples_per_frame;
    return (double)(next * plan->steps_per_sample) * plan->dt;
}

void step_plan_warn(const step_plan *plan)
{
    if (!(plan->dt > plan->limit)) return;
    fprintf(stderr,
            "warning: the time step of %.4g s is above the stability limit of %.4g s: such steps "
            "make energy from nothing and break what is whole; leave out solver.time_step\n",
            plan->dt, plan->limit);
}

const char *step_plan_method(sherd_method method)
{
    switch (method) {
    case SHERD_METHOD_EXPLICIT:
        return "explicit";
    case SHERD_METHOD_IMPLICIT:
        return "implicit";
    case SHERD_METHOD_AUTO:
        return "auto";
    }
    return "?";
}

const char *step_plan_text(const step_plan *plan, const sherd_world_def *def,
                           const sherd_world *world, char text[STEP_PLAN_TEXT])
{
    const char *method = step_plan_method(def->method);
    const char *reason = sherd_world_explicit_reason(world);
    if (plan->steps_per_sample > 0)
        snprintf(text, STEP_PLAN_TEXT, "%s, time step %.3g s (limit %.3g s), %lld steps per frame",
                 method, plan->dt, plan->limit,
                 (long long)(plan->samples_per_frame * plan->steps_per_sample));
    else if (def->method == SHERD_METHOD_AUTO && reason != NULL)
        snprintf(text, STEP_PLAN_TEXT, "%s, all steps explicit, %.3g s (limit %.3g s): %s", method,
                 def->time_step_safety * plan->limit, plan->limit, reason);
    else if (def->time_step > 0.0)
        snprintf(text, STEP_PLAN_TEXT, "%s, time step %.3g s (explicit limit %.3g s)", method,
                 def->time_step, plan->limit);
    else if (def->time_step_in_limits > 0.0)
        snprintf(text, STEP_PLAN_TEXT, "%s, time step %.4g T (T = %.3g s, the explicit limit)",
                 method, def->time_step_in_limits, plan->limit);
    else
        snprintf(text, STEP_PLAN_TEXT, "%s, time step chosen while running (explicit limit %.3g s)",
                 method, plan->limit);
    return text;
}
