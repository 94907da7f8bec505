// Wall time.
#pragma once

// Seconds on a clock that only goes forward, from an arbitrary start [s].
double sherd_clock_seconds(void);
