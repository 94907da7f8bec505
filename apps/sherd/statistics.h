// Statistics of a few values, such as measured times.
#pragma once

typedef struct value_statistics {
    double median, largest;
    double spread; // (largest - least) / median
} value_statistics;

// Sorts the values.
value_statistics value_statistics_of(double *values, int count);
