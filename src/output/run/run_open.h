// From a scene to a run that is ready for its first step.
#pragma once

#include "output/run/run_state.h"

// Prepares everything up to the first step: def, scene and folder are set. On failure the error is filled;
// free in any case.
sherd_status sherd_run_loop_open(sherd_run_loop *loop, sherd_error *error);
void sherd_run_loop_free(sherd_run_loop *loop);
