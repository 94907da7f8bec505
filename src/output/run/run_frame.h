// Completes a frame of a run: measures, writes and draws it.
#pragma once

#include "output/run/run_state.h"

// For the present state of the world. SHERD_ERROR_UNSTABLE if that state is invalid.
sherd_status sherd_run_finish_frame(sherd_run_loop *loop, int64_t index, sherd_error *error);

// Called once per sample.
sherd_status sherd_run_read_probes(sherd_run_loop *loop, sherd_error *error);

// Adds a row to timings.csv: what was spent since the last one. `stage`: run_timings.h.
sherd_status sherd_run_write_timings(sherd_run_loop *loop, const char *stage, sherd_error *error);
