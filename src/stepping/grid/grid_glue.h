// Glue between pieces of material points in the log of what broke (break_log.h): numbered on from bonds.
#pragma once

#include "stepping/system.h"

// Logs what broke in the step of the grid that began at `began` by its own clock and ends at `time` [s].
sherd_status sherd_grid_glue_log(sherd_system *s, double began, double time, sherd_error *error);
