// Where a run is in its plan (sherd/step_plan.h).
#pragma once

#include <sherd/step_plan.h>

// Whole samples since the start.
int64_t sherd_step_plan_samples(const sherd_step_plan *plan, const sherd_world *world);

// The end of the sample in progress [s].
double sherd_step_plan_next_stop(const sherd_step_plan *plan, const sherd_world *world);
