#include "clock.h"

#include <stdlib.h>
#include <time.h>

double clock_seconds(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

static int compare_doubles(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

value_statistics value_statistics_of(double *values, int count)
{
    qsort(values, (size_t)count, sizeof values[0], compare_doubles);
    double median = values[count / 2], largest = values[count - 1];
    return (value_statistics){median, largest, (largest - values[0]) / median};
}
