// Wall time.
#pragma once

// Seconds on a clock that only goes forward, from an arbitrary start [s]. May be called in signal handlers.
double clock_seconds(void);
