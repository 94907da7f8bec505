#include "output/run/step_plan.h"

#include <sherd/step_plan.h>
#include <sherd/world.h>

#include <math.h>
#include <stdio.h>

// Uniform steps: as long as possible with an integer number of them per sample.
static void plan_even_steps(sherd_step_plan *plan, const sherd_world_def *world)
{
    double most = world->time_step > 0.0 ? world->time_step : world->time_step_safety * plan->limit;
    double samples = (double)plan->samples_per_frame;
    double steps = ceil(plan->interval / most / samples * (1.0 - 1e-12));
    plan->steps_per_sample = (int64_t)fmax(steps, 1.0);
    plan->dt = plan->interval / (double)(plan->samples_per_frame * plan->steps_per_sample);
}

// The grid chooses the length of its steps during the run.
static bool has_points(const sherd_scene *scene)
{
    for (int k = 0; k < scene->body_count; ++k)
        if (sherd_scene_is_of_points(&scene->bodies[k])) return true;
    return false;
}

sherd_step_plan sherd_step_plan_make(const sherd_scene *scene, double stable_time_step)
{
    const sherd_scene_output *out = &scene->output;
    sherd_step_plan plan = {.limit = stable_time_step, .interval = 1.0 / out->frame_rate};
    plan.samples_per_frame = (int64_t)fmax(1.0, floor(out->probe_rate / out->frame_rate + 0.5));
    plan.frames = (int64_t)fmax(1.0, ceil(scene->duration * out->frame_rate - 1e-9));
    if (sherd_method_describe(scene->world.method).even_steps && !has_points(scene))
        plan_even_steps(&plan, &scene->world);
    return plan;
}

int64_t sherd_step_plan_samples(const sherd_step_plan *plan, const sherd_world *world)
{
    if (plan->steps_per_sample > 0) return sherd_world_step_count(world) / plan->steps_per_sample;
    double samples = (double)plan->samples_per_frame / plan->interval * sherd_world_time(world);
    return (int64_t)floor(samples + 1e-6); // times are exact up to rounding
}

double sherd_step_plan_next_stop(const sherd_step_plan *plan, const sherd_world *world)
{
    int64_t next = sherd_step_plan_samples(plan, world) + 1;
    if (plan->steps_per_sample == 0)
        return (double)next * plan->interval / (double)plan->samples_per_frame;
    return (double)(next * plan->steps_per_sample) * plan->dt;
}

// Stability limits of the world.
typedef struct step_limits {
    double points, elements; // [s]; elements = 0: there is one kind, with the limit `points`
    double grid_step;        // longest step of the points' grid [s]
    double safety;           // steps relative to the limit of elements
} step_limits;

static step_limits limits_of(const sherd_step_plan *plan, const sherd_world_def *def,
                             const sherd_world *world)
{
    double grid_step = def->time_step > 0.0 ? def->time_step : def->time_step_safety * plan->limit;
    return (step_limits){plan->limit, sherd_world_element_time_step(world), grid_step,
                         def->time_step_safety};
}

// Limit of elements; that of the points if there are no elements.
static double element_limit(const step_limits *limits)
{
    return limits->elements > 0.0 ? limits->elements : limits->points;
}

static double steps_in_grid_step(const step_limits *limits)
{
    if (!(limits->elements > 0.0)) return 1.0;
    return fmax(1.0, ceil(limits->grid_step / (limits->safety * limits->elements) * (1.0 - 1e-12)));
}

enum { LIMITS_TEXT = 192 };

// "explicit limit 1.4e-06 s", or both limits and the smaller one.
static const char *limits_text(const step_limits *limits, const char *word, char text[LIMITS_TEXT])
{
    double steps = steps_in_grid_step(limits);
    if (!(limits->elements > 0.0))
        snprintf(text, LIMITS_TEXT, "%s %.3g s", word, limits->points);
    else if (steps > 1.0)
        snprintf(text, LIMITS_TEXT,
                 "%s %.3g s of bonded elements and free bodies, which take %.0f steps in one of "
                 "the points' grid, limit %.3g s",
                 word, limits->elements, steps, limits->points);
    else
        snprintf(text, LIMITS_TEXT,
                 "%s %.3g s of the points' grid, with which bonded elements and free bodies step, "
                 "limit %.3g s",
                 word, limits->points, limits->elements);
    return text;
}

const char *sherd_step_plan_text(const sherd_step_plan *plan, const sherd_world_def *def,
                                 const sherd_world *world, char text[SHERD_STEP_PLAN_TEXT])
{
    sherd_method_info info = sherd_method_describe(def->method);
    const char *method = info.word;
    const char *reason = sherd_world_explicit_reason(world);
    step_limits limits = limits_of(plan, def, world);
    char limit_words[LIMITS_TEXT];
    if (plan->steps_per_sample > 0)
        snprintf(text, SHERD_STEP_PLAN_TEXT,
                 "%s, time step %.3g s (limit %.3g s), %lld steps per frame", method, plan->dt,
                 plan->limit, (long long)(plan->samples_per_frame * plan->steps_per_sample));
    else if (sherd_method_switches(&info) && reason != NULL)
        snprintf(text, SHERD_STEP_PLAN_TEXT, "%s, all steps explicit, %.3g s (%s): %s", method,
                 limits.grid_step / steps_in_grid_step(&limits),
                 limits_text(&limits, "limit", limit_words), reason);
    else if (def->time_step > 0.0)
        snprintf(text, SHERD_STEP_PLAN_TEXT, "%s, time step %.3g s (%s)", method, def->time_step,
                 limits_text(&limits, "explicit limit", limit_words));
    else if (def->time_step_in_limits > 0.0)
        snprintf(text, SHERD_STEP_PLAN_TEXT,
                 "%s, time step %.4g T (T = %.3g s, the explicit limit)", method,
                 def->time_step_in_limits, element_limit(&limits));
    else
        snprintf(text, SHERD_STEP_PLAN_TEXT, "%s, time step chosen while running (%s)", method,
                 limits_text(&limits, "explicit limit", limit_words));
    return text;
}
