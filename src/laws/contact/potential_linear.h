// V = 1/2 k s^2, k = k_r.                                                    [BDEM21] (22)
#pragma once

#include "math/lane.h"

LANE_INLINE lane linear_scale(lane stiffness, lane modulus, lane radius)
{
    (void)modulus, (void)radius;
    return stiffness;
}

LANE_INLINE lane linear_force(lane k, lane w, lane s)
{
    (void)w;
    return k * s;
}

LANE_INLINE lane linear_mean_force(lane k, lane w, lane s)
{
    (void)w;
    return LANE_HALF * k * s;
}

LANE_INLINE lane linear_tangent(lane k, lane w, lane s)
{
    (void)w, (void)s;
    return k;
}

LANE_INLINE lane linear_gained(lane k, lane w, lane from, lane to)
{
    (void)w;
    return k * (to - from) * (to + from);
}

static inline double linear_mean_depth(double k, double w, double force)
{
    (void)w;
    return 0.5 * force / k;
}
