// The steps of a run, frame by frame, until its end or until a stop is requested.
#pragma once

#include "output/run/run_state.h"

// SHERD_ERROR_INTERRUPTED when a stop was requested, with a checkpoint written.
sherd_status sherd_run_loop_run(sherd_run_loop *loop, sherd_error *error);

// Calls the callback for progress.
void sherd_run_loop_report(const sherd_run_loop *loop);
