// All regions over one span: beside each other, where threads are better used so than within each.
#pragma once

#include "stepping/control/step_control_state.h"
#include "stepping/regions/time_regions.h"

// One goes no farther than its `reach` [m]; too far, then `*too_far` is how soon one did [s], else 0. Which threads
// do what is chosen by the work of the span before; results don't depend on it.
sherd_status sherd_regions_go(sherd_system *whole, sherd_regions *regions,
                              const sherd_method_settings *settings, double end,
                              const double reach[SHERD_MOST_REGIONS], double *too_far,
                              sherd_error *error);
