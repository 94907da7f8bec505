// Rows of `sherd bench transfers`: scenes whose outcome is known, and what is measured of them.
#pragma once

#include <sherd/error.h>

// How the scenes of a row are run.
typedef struct transfer_run {
    int override_count;
    const char *const *overrides; // "path=value", of the transfer and of --set  (override_count)
    double step;                  // factor on the automatic time step
    double spacing;               // factor on the spacing of all points
    int threads;
} transfer_run;

// One value of a row. It is right from `low` to `high`, both included; INFINITY leaves a side open.
typedef struct transfer_figure {
    const char *what; // NULL: there is none
    const char *unit; // "" without
    double right, low, high;
} transfer_figure;

enum { TRANSFER_FIGURES = 4 };

typedef struct transfer_row transfer_row;

// Fills `values`, one for each of the row's figures; NAN for what the run did not come to.
typedef sherd_status transfer_measure(const transfer_row *row, const transfer_run *run,
                                      double values[TRANSFER_FIGURES], sherd_error *error);

struct transfer_row {
    const char *name;  // for --row
    const char *about; // the scene
    transfer_figure figures[TRANSFER_FIGURES];
    transfer_measure *measure;
    const void *detail; // what rows of one function differ by
};

// The rows of one file.
typedef struct transfer_group {
    int count;
    const transfer_row *rows; // (count)
} transfer_group;

#define TRANSFER_GROUP(ROWS)                                                                       \
    {                                                                                              \
        (int)(sizeof(ROWS) / sizeof(ROWS)[0]), ROWS                                                \
    }

extern const transfer_group TRANSFER_ROWS_FLUID;
extern const transfer_group TRANSFER_ROWS_HELD;
extern const transfer_group TRANSFER_ROWS_PAIRS;
extern const transfer_group TRANSFER_ROWS_ROLL;
extern const transfer_group TRANSFER_ROWS_SAND;
extern const transfer_group TRANSFER_ROWS_SPIN;
