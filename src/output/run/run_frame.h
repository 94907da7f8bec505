// A frame of a run: measured, written and drawn.
#pragma once

#include "output/run/run_state.h"

// Of the world as it stands. SHERD_ERROR_UNSTABLE where that is no state to go on from.
sherd_status sherd_run_finish_frame(sherd_run_loop *loop, int64_t index, sherd_error *error);

// Once every sample.
sherd_status sherd_run_read_probes(sherd_run_loop *loop, sherd_error *error);
