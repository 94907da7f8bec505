// Figures of the results of `sherd bench fracture`.
#pragma once

#include "bench/fracture_run.h"
#include "options.h"

enum { FRACTURE_MAX_SCHEMES = 6 };

// All runs of a case.
typedef struct fracture_set {
    const fracture_case *which;
    int scheme_count;
    const fracture_scheme *scheme[FRACTURE_MAX_SCHEMES];
    fracture_result result[FRACTURE_MAX_SCHEMES][OPTIONS_MAX_SEEDS];
} fracture_set;

// Mean of a column over runs, and the standard deviation of one run (n - 1).
double fracture_mean(const fracture_result *results, int runs, int column);
double fracture_deviation(const fracture_result *results, int runs, int column);

// Names of the figures: broken bonds over time, means; every run's statistics as multiples of the
// first scheme's means.
#define FRACTURE_BREAKS "fracture-breaks.svg"
#define FRACTURE_SCATTER "fracture-scatter.svg"
sherd_status fracture_draw(const char *folder, const fracture_set *sets, int set_count, int runs,
                           sherd_error *error);
