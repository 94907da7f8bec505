// stats.csv and probes.csv of a run.
#pragma once

#include "run/run_state.h"

// Whether probes.csv can be gone on with: SHERD_ERROR_INPUT when it begins otherwise. Changes nothing.
sherd_status run_tables_check(const run_loop *loop, sherd_error *error);

// Begins both, or goes on behind the frame of the checkpoint: stats.csv is made anew from the run
// file, so that whatever became of it is mended; of probes.csv the rows up to the frame are kept, and
// those that are missing are told.
sherd_status run_tables_open(run_loop *loop, sherd_error *error);
