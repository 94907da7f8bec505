// The progress line: rewritten in place on a terminal, one line per frame otherwise.
#pragma once

#include <sherd/run.h>

typedef struct progress {
    bool terminal, quiet;
    int64_t first_step;
    double last_shown;               // clock [s]
    sherd_solver_counts last_counts; // when `method` was last determined
    const char *method;              // current method
} progress;

progress progress_start(const sherd_run_view *view, bool quiet);
// Called after some steps; shows progress at most ten times a second, and only on a terminal.
void progress_step(progress *p, const sherd_run_view *view);
void progress_frame(progress *p, const sherd_run_view *view);
void progress_end(progress *p);
