// Division of a run's time: into frames, these into probe samples, and these, with the explicit method,
// into steps that are all alike. Other methods choose their steps while running.
#pragma once

#include <sherd/scene.h>

typedef struct sherd_step_plan {
    double limit;    // stability limit T [s]
    double interval; // of frames [s]
    int64_t frames;  // to compute after frame 0
    int64_t samples_per_frame;
    double dt;                // explicit steps only, else 0 [s]
    int64_t steps_per_sample; // explicit steps only, else 0
} sherd_step_plan;

// `stable_time_step` is that of the scene's world (sherd_world_stable_time_step) [s].
SHERD_API sherd_step_plan sherd_step_plan_make(const sherd_scene *scene, double stable_time_step);

// "explicit, time step 1e-06 s (limit 1.4e-06 s), 2084 steps per frame" into `text`, which is returned.
// Beside material points it tells whether their grid or what is beside it needs the shorter steps.
enum { SHERD_STEP_PLAN_TEXT = 320 };
SHERD_API const char *sherd_step_plan_text(const sherd_step_plan *plan, const sherd_world_def *def,
                                           const sherd_world *world,
                                           char text[SHERD_STEP_PLAN_TEXT]);
