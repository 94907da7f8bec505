// Ctrl-C, SIGTERM and SIGHUP (the terminal is gone) while a run steps. The first asks it to stop
// between steps, with a checkpoint; the second ends the process at once.
#pragma once

#include <sherd/run.h>

void stop_requests_begin(void); // listens, with nothing asked for yet
void stop_requests_end(void);   // from here on signals end the process, as they do by default

// Set by the first signal.
const sherd_stop *stop_request(void);

// A slice of steps begins; the last one took `seconds`. Where slices are long the first signal is answered at
// once, in a line: nothing else would be seen of it for a while.
void stop_requests_slice(double seconds);
