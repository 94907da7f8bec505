// Vectors as arrays of three numbers, and the kernel weights of one point at nodes, one axis at a
// time. For code outside inner loops.
#pragma once

#include "models/mpm/grid/mpm_grid.h"

#include <math.h>

static inline double sherd_axes_dot(const double a[3], const double b[3])
{
    return a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
}

enum { SHERD_MPM_REACH = 4 }; // nodes along an axis in the support of the cubic kernel

// Returns the first node along an axis in the support of a point at `x` [m]. Sets the weights of
// this node and the following ones.
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
