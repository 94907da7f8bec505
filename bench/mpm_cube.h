// One cube of 64,000 material points: what steps with gradients cost beside FLIP's, and a run beside its steps alone.
#pragma once

#include "options.h"

#include <sherd/error.h>

enum { MPM_CUBE_SIDE = 40 }; // points

// Million point steps per second of processor time, medians of rounds in which all are measured turn about.
typedef struct mpm_cube {
    double flip, affine; // steps alone, cubic kernel
    double
        run; // `sherd run` of it as it falls on a floor, all defaults, without pictures; beginning and end left out
    double affine_share; // of flip's
    double run_share;    // of that of the steps that the run makes
    int rounds;
} mpm_cube;

sherd_status mpm_cube_measure(const command_options *options, int threads, mpm_cube *out,
                              sherd_error *error);
