// stats.csv, probes.csv and breaks.csv of a run.
#pragma once

#include "output/run/run_state.h"

// SHERD_ERROR_INPUT if probes.csv has another header and cannot be continued. Changes nothing.
sherd_status sherd_run_tables_check(const sherd_run_loop *loop, sherd_error *error);

// Creates the tables or continues them after the frame of the checkpoint. stats.csv and breaks.csv
// are rewritten from the run file, which repairs them; rows of probes.csv up to the frame are
// retained, and missing ones reported.
sherd_status sherd_run_tables_open(sherd_run_loop *loop, sherd_error *error);
