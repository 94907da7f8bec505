// Wall time.
#pragma once

// Seconds of a monotonic clock with an arbitrary start [s]. Async-signal-safe.
double clock_seconds(void);
