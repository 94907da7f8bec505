// Advances a system by its regions, where there are any (regions.h).
#pragma once

#include "stepping/control/step_control_state.h"
#include "stepping/system.h"

// Advances to time `until` exactly, by regions where there are any. Stops on the way after `most_steps` steps,
// or after the span of regions in which there were so many, which changes none of them. Not for the explicit
// method alone.
sherd_status sherd_system_advance(sherd_system *system, const sherd_method_settings *settings,
                                  double until, int64_t most_steps, sherd_after_step *after,
                                  void *context, sherd_error *error);
