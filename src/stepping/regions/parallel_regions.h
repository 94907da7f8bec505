// Advances all regions over one span (except the one stepped with the grid of points): in parallel,
// if that uses threads better than loops within each.
#pragma once

#include "stepping/control/step_control_state.h"
#include "stepping/regions/time_regions.h"

// A region's elements may move as far as its `reach` [m]; `*too_far` is the time after which the
// first moved farther [s], 0: none did. Work is distributed by that of the span before; results do
// not depend on it.
sherd_status sherd_regions_step_parallel(sherd_system *whole, sherd_regions *regions,
                                         const sherd_method_settings *settings, double end,
                                         const double reach[SHERD_MAX_REGIONS], double *too_far,
                                         sherd_error *error);
