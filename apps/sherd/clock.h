// Wall time, and statistics of measured times.
#pragma once

// Seconds of a monotonic clock with an arbitrary start [s]. Async-signal-safe.
double clock_seconds(void);

typedef struct value_statistics {
    double median, largest;
    double spread; // (largest - least) / median
} value_statistics;

// Sorts the values.
value_statistics value_statistics_of(double *values, int count);
