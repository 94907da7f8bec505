// Wall time.
#pragma once

// Seconds on a clock that only goes forward, from an arbitrary start [s].
double sherd_clock_seconds(void);

// The time since `*since`, which becomes the present one [s].
double sherd_clock_lap(double *since);
