// report.html of a run.
#pragma once

#include "output/run/run_state.h"

// Reads the run folder (statistics, probes.csv, pictures) and writes FOLDER/report.html with the
// given diagnosis.
sherd_status sherd_run_report_write(const sherd_run_loop *loop, const sherd_diagnosis *diagnosis,
                                    sherd_error *error);
