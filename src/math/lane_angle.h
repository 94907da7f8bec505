// Angles without trigonometric calls, for kernels.
#pragma once

#include "math/lane.h"

// Series are used up to this; beyond it, lane by lane, the C library. In u = sin^2(theta / 2) 0.02
// is an angle of 16 degrees, in s^2 = sin^2(theta / 2) the same: bonds of brittle materials never
// get there.
static const double LANE_ANGLE_SERIES_LIMIT = 0.02;

// theta / sin(theta) as a function of c = cos(theta), for theta in [0, pi).
//   With u = (1 - c) / 2:  theta / sin(theta) = asin(sqrt u) / sqrt(u (1 - u))
//                                             = sum_k 4^k (k!)^2 / (2k + 1)! u^k
// Truncated after u^9; the rest is below 0.36 * 0.02^10 = 4e-18.
LANE_INLINE lane lane_theta_over_sin(lane c)
{
    lane u = 0.5 * (1.0 - c);
    u = lane_select(lane_greater(u, lane_of(0.0)), u, lane_of(0.0)); // c > 1 by rounding
    lane sum = lane_of(65536.0 / 230945.0);
    sum = sum * u + 32768.0 / 109395.0;
    sum = sum * u + 2048.0 / 6435.0;
    sum = sum * u + 1024.0 / 3003.0;
    sum = sum * u + 256.0 / 693.0;
    sum = sum * u + 128.0 / 315.0;
    sum = sum * u + 16.0 / 35.0;
    sum = sum * u + 8.0 / 15.0;
    sum = sum * u + 2.0 / 3.0;
    sum = sum * u + 1.0;
    lane_mask large = lane_greater(u, lane_of(LANE_ANGLE_SERIES_LIMIT));
    if (__builtin_expect(lane_any(large), 0)) {
        for (int k = 0; k < SHERD_LANES; ++k) {
            if (!lane_mask_get(large, k)) continue;
            double cosine = fmax(lane_get(c, k), -1.0 + 1e-12); // at 180 degrees any axis will do
            double sine = sqrt((1.0 - cosine) * (1.0 + cosine));
            sum = lane_set(sum, k, atan2(sine, cosine) / sine);
        }
    }
    return sum;
}

// 2 asin(s) / s as a function of s^2 = |rho|^2, for a relative quaternion (rho, w) with w >= 0:
// the factor that turns rho into the rotation vector.
//   asin(s) / s = sum_k (2k)! / (4^k (k!)^2 (2k + 1)) s^2k
// Truncated after s^18; the rest is below 0.009 * 0.02^10 = 1e-19.
LANE_INLINE lane lane_rotation_factor(lane s2)
{
    lane sum = lane_of(12155.0 / 1245184.0);
    sum = sum * s2 + 6435.0 / 557056.0;
    sum = sum * s2 + 143.0 / 10240.0;
    sum = sum * s2 + 231.0 / 13312.0;
    sum = sum * s2 + 63.0 / 2816.0;
    sum = sum * s2 + 35.0 / 1152.0;
    sum = sum * s2 + 5.0 / 112.0;
    sum = sum * s2 + 3.0 / 40.0;
    sum = sum * s2 + 1.0 / 6.0;
    sum = sum * s2 + 1.0;
    lane_mask large = lane_greater(s2, lane_of(LANE_ANGLE_SERIES_LIMIT));
    if (__builtin_expect(lane_any(large), 0)) {
        for (int k = 0; k < SHERD_LANES; ++k) {
            if (!lane_mask_get(large, k)) continue;
            double s = sqrt(fmin(lane_get(s2, k), 1.0));
            sum = lane_set(sum, k, asin(s) / s);
        }
    }
    return 2.0 * sum;
}
