// A run in progress: world, fragments, outputs. Steps frame by frame; can be interrupted and resumed.
#pragma once

#include "run/run_state.h"

// Prepares everything up to the first step. On failure the error is filled; free in any case.
sherd_status run_loop_open(run_loop *loop, sherd_error *error);
void run_loop_free(run_loop *loop);

// Runs to the last frame. SHERD_ERROR_INTERRUPTED after Ctrl-C, with a checkpoint written.
sherd_status run_loop_run(run_loop *loop, sherd_error *error);
