// All regions over one span, but what steps with points' grid: in parallel, where that uses threads better than loops within each.
#pragma once

#include "stepping/control/step_control_state.h"
#include "stepping/regions/time_regions.h"

// A region's elements may go as far as its `reach` [m]; `*too_far` is how soon the first went farther [s], 0: none did.
// Work is distributed by that of the span before; results don't depend on it.
sherd_status sherd_regions_go(sherd_system *whole, sherd_regions *regions,
                              const sherd_method_settings *settings, double end,
                              const double reach[SHERD_MOST_REGIONS], double *too_far,
                              sherd_error *error);
