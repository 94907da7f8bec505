// How a run's time is cut: into frames, these into probe samples, and these, with the explicit method,
// into steps that are all alike. Other methods choose their steps while running.
#pragma once

#include <sherd/scene.h>

typedef struct step_plan {
    double limit;    // stability limit T [s]
    double interval; // of frames [s]
    int64_t frames;  // to compute after frame 0
    int64_t samples_per_frame;
    double dt;                // explicit steps only, else 0 [s]
    int64_t steps_per_sample; // explicit steps only, else 0
} step_plan;

step_plan step_plan_make(const sherd_scene *scene, double stable_time_step);

// Whole samples since the start.
int64_t step_plan_samples(const step_plan *plan, const sherd_world *world);
// The end of the sample in progress [s].
double step_plan_next_stop(const step_plan *plan, const sherd_world *world);

// On standard error that explicit steps are longer than the stability limit; nothing where they are not.
void step_plan_warn(const step_plan *plan);

const char *step_plan_method(sherd_method method);
// "explicit, time step 1e-06 s (limit 1.4e-06 s), 2084 steps per frame" into `text`, which is returned.
enum { STEP_PLAN_TEXT = 160 };
const char *step_plan_text(const step_plan *plan, const sherd_world_def *def,
                           const sherd_world *world, char text[STEP_PLAN_TEXT]);
