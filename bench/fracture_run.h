// One run of a case of `sherd bench fracture`, and its statistics.
#pragma once

#include "bench/fracture_cases.h"

typedef struct fracture_scheme {
    const char *name;
    sherd_method method;
    double safety; // explicit steps [T]
    double
        step; // [IBDEM25]'s: fixed Euler steps, all that is overstressed breaks at their ends [T];
              // 0 = no
    bool asked_for; // runs only when named
} fracture_scheme;

enum fracture_statistic {
    FRACTURE_BROKEN,
    FRACTURE_FRAGMENTS,
    FRACTURE_LARGE,
    FRACTURE_LARGEST,
    FRACTURE_DEBRIS,
    FRACTURE_DISSIPATED,
    FRACTURE_HALF_TIME,
    FRACTURE_STATISTICS, // from here on the cost of a run
    FRACTURE_EXPLICIT_STEPS = FRACTURE_STATISTICS,
    FRACTURE_IMPLICIT_STEPS,
    FRACTURE_IMPLICIT_SHARE,
    FRACTURE_NEWTON,
    FRACTURE_LINEAR,
    FRACTURE_WALL,
    FRACTURE_COLUMNS
};

// Names as columns of a table and for people.
typedef struct fracture_column {
    const char *name, *title;
} fracture_column;

const fracture_column *fracture_column_of(int statistic);

enum { FRACTURE_MAX_SAMPLES = 100 };

typedef struct fracture_result {
    double value[FRACTURE_COLUMNS];
    double broken[FRACTURE_MAX_SAMPLES + 1]; // bonds after each sample, none first
    int elements;
    int64_t bonds;
    double limit; // T [s]
} fracture_result;

// The statistics of fragments, from FRACTURE_FRAGMENTS to FRACTURE_DEBRIS, into `value`, by statistic.
sherd_status fracture_count(const sherd_world *world, double *value, sherd_error *error);

sherd_status fracture_run(const fracture_case *which, const fracture_scheme *scheme, uint64_t seed,
                          int threads, fracture_result *result, sherd_error *error);
