// Angles without trigonometric calls, for kernels.
#pragma once

#include "math/lane.h"

// Series are used up to this; beyond it, lane by lane, the C library. In u = sin^2(theta / 2) 0.02
// is an angle of 16 degrees, in s^2 = sin^2(theta / 2) the same: bonds of brittle materials never
// get there.
static const real LANE_ANGLE_SERIES_LIMIT = (real)0.02;

// Kernels use short series while a bond is nearly at rest, as it is in anything brittle, and select
// longer ones for the lanes beyond; which lane does what never depends on its neighbours.

// (1 + x)^(-1/2) - 1 for x > -1, accurate for small x:
//   sum_(k > 0) (-1)^k (2k)! / (4^k (k!)^2) x^k
// Truncated after x^8; the rest is below 0.2 * 0.01^9 = 2e-19 where |x| < 0.01 (strains of 0.5 %).
LANE_INLINE lane lane_inverse_sqrt_1_plus(lane x)
{
    // By pairs: shorter chains of dependent operations than term by term.
    lane x2 = x * x;
    lane p0 = lane_fma(x, lane_of((real)(3.0 / 8.0)), lane_of((real)(-1.0 / 2.0)));
    lane p1 = lane_fma(x, lane_of((real)(35.0 / 128.0)), lane_of((real)(-5.0 / 16.0)));
    lane p2 = lane_fma(x, lane_of((real)(231.0 / 1024.0)), lane_of((real)(-63.0 / 256.0)));
    lane p3 = lane_fma(x, lane_of((real)(6435.0 / 32768.0)), lane_of((real)(-429.0 / 2048.0)));
    lane y = x * lane_fma(x2, lane_fma(x2, lane_fma(x2, p3, p2), p1), p0);
    const lane limit = lane_of((real)0.01);
    if (__builtin_expect(lane_any_greater(lane_abs(x), limit), 0))
        y = lane_select(lane_greater(lane_abs(x), limit), 1 / lane_sqrt(1 + x) - 1, y);
    return y;
}

// 1 / (1 + w) for a cosine w in [0, 1]: with u = (1 - w) / 2 it is sum_k u^k / 2.
// Truncated after u^5; the rest is below 1e-18 where u < 0.001 (7 degrees between the ends).
LANE_INLINE lane lane_inverse_of_1_plus(lane w)
{
    lane u = lane_fnma(lane_of(0.5), w, lane_of(0.5));
    lane u2 = u * u, pair = u + 1; // (1 + u)(1 + u^2 + u^4)
    lane inverse = (LANE_HALF * pair) * lane_fma(u2, u2 + 1, lane_of(1));
    lane_mask large = lane_greater(u, lane_of((real)0.001));
    if (__builtin_expect(lane_any(large), 0)) inverse = lane_select(large, 1 / (1 + w), inverse);
    return inverse;
}

// theta / sin(theta) as a function of u = (1 - cos(theta)) / 2, for theta in [0, pi):
//   asin(sqrt u) / sqrt(u (1 - u)) = sum_k 4^k (k!)^2 / (2k + 1)! u^k
// The long series ends after u^9; its rest is below 0.36 * 0.02^10 = 4e-18.
LANE_INLINE lane lane_theta_over_sin_long(lane u)
{
    lane sum = lane_of((real)(65536.0 / 230945.0));
    sum = lane_fma(sum, u, lane_of((real)(32768.0 / 109395.0)));
    sum = lane_fma(sum, u, lane_of((real)(2048.0 / 6435.0)));
    sum = lane_fma(sum, u, lane_of((real)(1024.0 / 3003.0)));
    sum = lane_fma(sum, u, lane_of((real)(256.0 / 693.0)));
    sum = lane_fma(sum, u, lane_of((real)(128.0 / 315.0)));
    sum = lane_fma(sum, u, lane_of((real)(16.0 / 35.0)));
    sum = lane_fma(sum, u, lane_of((real)(8.0 / 15.0)));
    sum = lane_fma(sum, u, lane_of((real)(2.0 / 3.0)));
    sum = lane_fma(sum, u, lane_of(1));
    lane_mask large = lane_greater(u, lane_of(LANE_ANGLE_SERIES_LIMIT));
    if (__builtin_expect(lane_any(large), 0)) {
        for (int k = 0; k < SHERD_LANES; ++k) {
            if (!lane_mask_get(large, k)) continue;
            double cosine =
                fmax(1.0 - 2.0 * lane_get(u, k), -1.0 + 1e-12); // at 180 degrees any axis will do
            double sine = sqrt((1.0 - cosine) * (1.0 + cosine));
            sum = lane_set(sum, k, (real)(atan2(sine, cosine) / sine));
        }
    }
    return sum;
}

// The short one after u^5, rest below 0.36 * 0.001^6 = 4e-19.
LANE_INLINE lane lane_theta_over_sin(lane u)
{
    lane u2 = u * u;
    lane low = lane_fma(u, lane_of((real)(2.0 / 3.0)), lane_of(1));
    lane middle = lane_fma(u, lane_of((real)(16.0 / 35.0)), lane_of((real)(8.0 / 15.0)));
    lane high = lane_fma(u, lane_of((real)(256.0 / 693.0)), lane_of((real)(128.0 / 315.0)));
    lane sum = lane_fma(u2, lane_fma(u2, high, middle), low);
    const lane limit = lane_of((real)0.001);
    if (__builtin_expect(lane_any_greater(u, limit), 0))
        sum = lane_select(lane_greater(u, limit), lane_theta_over_sin_long(u), sum);
    return sum;
}

// 2 asin(s) / s as a function of s^2 = |rho|^2, for a relative quaternion (rho, w) with w >= 0:
// the factor that turns rho into the rotation vector.
//   asin(s) / s = sum_k (2k)! / (4^k (k!)^2 (2k + 1)) s^2k
// Truncated after s^18; the rest is below 0.009 * 0.02^10 = 1e-19.
LANE_INLINE lane lane_rotation_factor(lane s2)
{
    lane sum = lane_of((real)(12155.0 / 1245184.0));
    sum = lane_fma(sum, s2, lane_of((real)(6435.0 / 557056.0)));
    sum = lane_fma(sum, s2, lane_of((real)(143.0 / 10240.0)));
    sum = lane_fma(sum, s2, lane_of((real)(231.0 / 13312.0)));
    sum = lane_fma(sum, s2, lane_of((real)(63.0 / 2816.0)));
    sum = lane_fma(sum, s2, lane_of((real)(35.0 / 1152.0)));
    sum = lane_fma(sum, s2, lane_of((real)(5.0 / 112.0)));
    sum = lane_fma(sum, s2, lane_of((real)(3.0 / 40.0)));
    sum = lane_fma(sum, s2, lane_of((real)(1.0 / 6.0)));
    sum = lane_fma(sum, s2, lane_of(1));
    lane_mask large = lane_greater(s2, lane_of(LANE_ANGLE_SERIES_LIMIT));
    if (__builtin_expect(lane_any(large), 0)) {
        for (int k = 0; k < SHERD_LANES; ++k) {
            if (!lane_mask_get(large, k)) continue;
            double s = sqrt(fmin(lane_get(s2, k), 1.0));
            sum = lane_set(sum, k, (real)(asin(s) / s));
        }
    }
    return 2 * sum;
}
