#include "base/clock.h"

#include <time.h>

double sherd_clock_seconds(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

double sherd_clock_lap(double *since)
{
    double now = sherd_clock_seconds(), lap = now - *since;
    *since = now;
    return lap;
}
