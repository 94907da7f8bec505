// Progress of a run in its plan (sherd/step_plan.h).
#pragma once

#include <sherd/step_plan.h>

// Number of complete samples since the start.
int64_t sherd_step_plan_samples(const sherd_step_plan *plan, const sherd_world *world);

// End time of the current sample [s].
double sherd_step_plan_next_stop(const sherd_step_plan *plan, const sherd_world *world);
