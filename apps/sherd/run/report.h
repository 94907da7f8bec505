// report.html of a run.
#pragma once

#include "run/run_state.h"

// Reads the run folder back (frames' figures, probes.csv, pictures) and writes FOLDER/report.html.
sherd_status report_write(const run_loop *loop, sherd_error *error);
