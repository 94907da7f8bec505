// Vectors as grids have them, three numbers in a row, and the weights of one point at nodes, an
// axis at a time: for code that is no hot loop.
#pragma once

#include "models/mpm/grid/mpm_grid.h"

#include <math.h>

static inline double sherd_axes_dot(const double a[3], const double b[3])
{
    return a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
}

enum { SHERD_MPM_REACH = 4 }; // nodes along an axis, of the wider kernel

// The first node that a point at `x` [m] reaches along an axis, and its weights there and at those
// after it.
static inline int64_t sherd_mpm_axis_weights(const sherd_mpm_grid *g, double x,
                                             double w[SHERD_MPM_REACH])
{
    double s = x / g->h;
    if (g->kernel == SHERD_MPM_QUADRATIC) {
        double node = floor(s + 0.5), d = s - node;
        w[0] = 0.5 * (0.5 - d) * (0.5 - d), w[1] = 0.75 - d * d, w[2] = 0.5 * (0.5 + d) * (0.5 + d);
        return (int64_t)node - 1;
    }
    double node = floor(s), t = s - node, u = 1.0 - t;
    w[0] = u * u * u / 6.0, w[3] = t * t * t / 6.0;
    w[1] = 2.0 / 3.0 + t * t * (0.5 * t - 1.0), w[2] = 2.0 / 3.0 + u * u * (0.5 * u - 1.0);
    return (int64_t)node - 1;
}
