#include "statistics.h"

#include <stdlib.h>

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
