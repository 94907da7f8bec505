// stats.csv, probes.csv and breaks.csv of a run.
#pragma once

#include "output/run/run_state.h"

// Whether probes.csv can be gone on with: SHERD_ERROR_INPUT when it begins otherwise. Changes nothing.
sherd_status sherd_run_tables_check(const sherd_run_loop *loop, sherd_error *error);

// Begins all, or goes on behind the frame of the checkpoint: stats.csv and breaks.csv are made anew from the run
// file, so that whatever became of it is mended; of probes.csv the rows up to the frame are kept, and
// missing ones are reported.
sherd_status sherd_run_tables_open(sherd_run_loop *loop, sherd_error *error);
