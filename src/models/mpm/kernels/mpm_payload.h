// What the points of a batch bring to the grid.
#pragma once

#include "models/mpm/kernels/mpm_kernels.h"

typedef struct mpm_payload {
    double mass[SHERD_MPM_BATCH], momentum[3][SHERD_MPM_BATCH];
    double impulse[SHERD_MPM_SYMMETRIC][SHERD_MPM_BATCH]; // -dt V0 tau [N s m]
    double spread[SHERD_MPM_TENSOR][SHERD_MPM_BATCH];     // m C, if affine [kg/s]
} __attribute__((aligned(64))) mpm_payload;
