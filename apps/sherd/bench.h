// What the benchmarks share.
#pragma once

#include <sherd/world.h>

enum { BENCH_REPEATS = 5 };

typedef struct bench_statistics {
    double median;
    double spread; // (largest - least) / median
} bench_statistics;

// Sorts the values.
bench_statistics bench_statistics_of(double *values, int count);

// What the machine can do with so many threads: its best of a few tries.
typedef struct machine_peak {
    double gigaflops_double, gigaflops_single; // fused multiply-adds, two operations each
    double gigabytes;                          // a[i] = b[i] + s c[i], bytes read and written / s
} machine_peak;

machine_peak machine_peak_measure(int threads);

// A floor and four walls close around a block of this edge about the origin.
bool bench_add_walls(sherd_world *world, double edge, sherd_error *error);
