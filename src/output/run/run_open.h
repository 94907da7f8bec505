// Prepares a run from a scene up to its first step.
#pragma once

#include "output/run/run_state.h"

// Requires def, scene and folder. On failure fills the error; free in any case.
sherd_status sherd_run_loop_open(sherd_run_loop *loop, sherd_error *error);
void sherd_run_loop_free(sherd_run_loop *loop);
