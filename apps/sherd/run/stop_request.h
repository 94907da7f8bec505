// Handles Ctrl-C, SIGTERM and SIGHUP (terminal closed) during a run. The first signal stops the run
// between steps with a checkpoint; the second ends the process at once.
#pragma once

#include <sherd/run.h>

void stop_requests_begin(void); // starts handling signals, with no request yet
void stop_requests_end(void);   // restores the default handling

// Set by the first signal.
const sherd_stop *stop_request(void);

// Marks the start of a slice of steps; the previous one took `seconds`. If slices are long, the
// signal handler prints a line at once, because the run will stop only later.
void stop_requests_slice(double seconds);
