// The progress line: one that is rewritten on a terminal, one line per frame elsewhere.
#pragma once

#include <sherd/world.h>

struct run_loop;

typedef struct progress {
    const struct run_loop *loop;
    bool terminal, quiet;
    double start;      // clock [s]
    double first_time; // of the simulation when it started [s]
    int64_t first_step;
    double last_shown;               // clock [s]
    sherd_solver_counts last_counts; // when the method at work was looked at last
    const char *method;              // at work then
} progress;

progress progress_start(const struct run_loop *loop);
// After some steps; shows at most ten times a second, and only on a terminal.
void progress_step(progress *p);
void progress_frame(progress *p);
void progress_end(progress *p);
