// V = 2/5 k s^2.5 of elastic spheres,  k = 2/3 E/(1 - nu^2) sqrt(R),  R = r_i r_j / (r_i + r_j), F = k s^1.5.
//                                                             Hertz, J. reine angew. Math. 92 (1881) 156
// The tangent is below k_r = E pi r/2 of equals while s < r: 2/pi sqrt(s / 2r) / (1 - nu^2), at most 0.6.
#pragma once

#include "math/lane.h"

LANE_INLINE lane hertz_scale(lane stiffness, lane modulus, lane radius)
{
    (void)stiffness;
    return (real)(2.0 / 3.0) * modulus * lane_sqrt(radius);
}

LANE_INLINE lane hertz_force(lane k, lane w, lane s)
{
    (void)w;
    return k * s * lane_sqrt(s);
}

LANE_INLINE lane hertz_mean_force(lane k, lane w, lane s)
{
    return (real)0.4 * hertz_force(k, w, s);
}

LANE_INLINE lane hertz_tangent(lane k, lane w, lane s)
{
    (void)w;
    return (real)1.5 * k * lane_sqrt(s);
}

// With a = sqrt(from), b = sqrt(to): a^5 - b^5 has the factor a^2 - b^2, over a + b.
LANE_INLINE lane hertz_gained(lane k, lane w, lane from, lane to)
{
    (void)w;
    lane a = lane_sqrt(from), b = lane_sqrt(to), sum = a + b;
    lane powers = from * from + to * to + a * b * (from + to) + from * to;
    lane difference = lane_keep(lane_greater(sum, lane_of(0)), (to - from) / sum);
    return (real)0.8 * k * difference * powers;
}

static inline double hertz_mean_depth(double k, double w, double force)
{
    (void)w;
    return 0.4 * cbrt(force / k * (force / k));
}
