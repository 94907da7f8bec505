// Broken glue between pieces of material points in the break log (break_log.h), numbered after the
// bonds.
#pragma once

#include "stepping/system.h"

// Logs the breaks in the step of the grid that began at `began` on its own clock and ends at `time`
// [s].
sherd_status sherd_grid_glue_log(sherd_system *s, double began, double time, sherd_error *error);
