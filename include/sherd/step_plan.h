// Division of a run's time into frames, of frames into probe samples and, with the explicit method,
// of samples into equal steps. Other methods choose their steps during the run.
#pragma once

#include <sherd/scene.h>

// Division of a run's time.
typedef struct sherd_step_plan {
    double limit;    // stability limit T [s]
    double interval; // of frames [s]
    int64_t frames;  // to compute after frame 0
    // samples of probes per frame
    int64_t samples_per_frame;
    double dt;                // explicit steps only, else 0 [s]
    int64_t steps_per_sample; // explicit steps only, else 0
} sherd_step_plan;

// Returns the plan of a scene whose world has the stability limit `stable_time_step` [s]
// (sherd_world_stable_time_step).
SHERD_API sherd_step_plan sherd_step_plan_make(const sherd_scene *scene, double stable_time_step);

// Size of the text of sherd_step_plan_text, with the terminating zero [bytes].
enum { SHERD_STEP_PLAN_TEXT = 320 };
// Describes a plan in `text` and returns it: "explicit, time step 1e-06 s (limit 1.4e-06 s), 2084
// steps per frame". With material points it says whether their grid or bodies beside it need the
// shorter steps.
SHERD_API const char *sherd_step_plan_text(const sherd_step_plan *plan, const sherd_world_def *def,
                                           const sherd_world *world,
                                           char text[SHERD_STEP_PLAN_TEXT]);
