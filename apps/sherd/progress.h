// The progress line: one that is rewritten on a terminal, one line per frame elsewhere.
#pragma once

#include <stdbool.h>
#include <stdint.h>

struct run_loop;

typedef struct progress {
    const struct run_loop *loop;
    bool terminal, quiet;
    double start;      // clock [s]
    double first_step; // steps done when it started
    double last_shown; // clock [s]
} progress;

progress progress_start(const struct run_loop *loop);
// After some steps; shows at most ten times a second, and only on a terminal.
void progress_step(progress *p, double steps_done);
void progress_frame(progress *p, const struct run_loop *loop);
void progress_end(progress *p);
