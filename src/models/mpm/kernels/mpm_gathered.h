// What the points of a batch get from the grid, component by component.
#pragma once

#include "models/mpm/kernels/mpm_kernels.h"
#include "models/mpm/kernels/mpm_quad.h"

typedef struct mpm_gathered {
    double v[3][SHERD_MPM_BATCH];    // sum w v+ [m/s]
    double flip[3][SHERD_MPM_BATCH]; // sum w (v+ - alpha v)
    double l[3][3][SHERD_MPM_BATCH]; // l[k][i]: dv_i/dx_k [1/s]
    double first[3][3]
                [SHERD_MPM_BATCH]; // first[k][i]: sum w (v+ - alpha v)_i (x_i - x_p)_k [m^2/s]
} __attribute__((aligned(64))) mpm_gathered;

LANE_INLINE void mpm_set(double to[3][SHERD_MPM_BATCH], int n, double x, double y, double z)
{
    to[0][n] = x, to[1][n] = y, to[2][n] = z;
}

LANE_INLINE void mpm_set_quad(double to[3][SHERD_MPM_BATCH], int n, quad v)
{
    mpm_set(to, n, v[0], v[1], v[2]);
}
