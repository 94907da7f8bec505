// Angles without trigonometric calls, for kernels.
//
// Kernels use short series while bonds are nearly undeformed, as in brittle materials, and select
// longer series or exact identities for other lanes; the result of a lane never depends on other
// lanes.
#pragma once

#include "math/lane.h"

// Upper bounds of the relative error of each function, truncation and rounding together, in eps,
// the gap between 1 and the next real (2^-52 or 2^-23), on the domain given at each function, with
// and without fused multiply-adds. tests/unit/test_lane.c tests them with samples of the whole
// domain, of which the worst reach a half to three quarters of the bound.
enum {
    LANE_ERROR_INVERSE_SQRT_1_PLUS = 3,
    LANE_ERROR_INVERSE_OF_1_PLUS = 2,
    LANE_ERROR_ROOT_OF_2_OVER_1_PLUS = 2,
    LANE_ERROR_THETA_OVER_SIN = 4,
    LANE_ERROR_ROTATION_FACTOR = 4,
    LANE_ERROR_HALF_TURN = 1,
};

// What to do beyond the range of short series. The result of a lane never depends on other lanes.
//
// `short_only`: nothing branches, all lanes use the short series, and those beyond its range are
// marked in `beyond`; their results must be discarded. Otherwise these get accurate results, and
// the others exactly those which they get with `short_only`.
typedef struct lane_series {
    bool short_only;
    lane_mask beyond;
} lane_series;

// Whether the short series suffices for all lanes.
LANE_INLINE bool lane_short(lane_series *series, lane_mask beyond)
{
    if (!series->short_only) return __builtin_expect(!lane_any(beyond), 1);
    series->beyond |= beyond;
    return true;
}

// Ranges of short series. In single precision, fewer terms reach further.
#if defined(SHERD_SINGLE)
static const real LANE_SHORT_STRETCH = 0.05F; // |l^2 / l0^2 - 1|: strains of 2.5 %
static const real LANE_SHORT_TURN = 0.002F;   // (1 - w) / 2: 10 degrees between the ends
static const real LANE_SHORT_ANGLE = 0.003F;  // (1 - cos theta) / 2: 6 degrees
#else
static const real LANE_SHORT_STRETCH = 0.01; // 0.5 %
static const real LANE_SHORT_TURN = 0.001;   // 7 degrees
static const real LANE_SHORT_ANGLE = 0.001;  // 4 degrees
#endif

// (1 + x)^(-1/2) - 1 for x > -1, without cancellation for small x:
//   sum_(k > 0) (-1)^k (2k)! / (4^k (k!)^2) x^k
// Truncated after x^8; the remainder is below 0.19 * 0.01^9 = 2e-19 for
// x
// < 0.01, 4e-17 of the result; in single precision truncated after x^6, 0.21 * 0.05^7 = 2e-10, 7e-9
// of the result. Beyond, with r = sqrt(1 + x), 1 / r - 1 = -x / (r (1 + r)) avoids cancellation.
LANE_INLINE lane lane_inverse_sqrt_1_plus(lane x, lane_series *series)
{
    // By pairs: shorter chains of dependent operations than term by term.
    lane x2 = x * x;
    lane p0 = lane_fma(x, lane_of((real)(3.0 / 8.0)), lane_of((real)(-1.0 / 2.0)));
    lane p1 = lane_fma(x, lane_of((real)(35.0 / 128.0)), lane_of((real)(-5.0 / 16.0)));
    lane p2 = lane_fma(x, lane_of((real)(231.0 / 1024.0)), lane_of((real)(-63.0 / 256.0)));
#if !defined(SHERD_SINGLE)
    lane p3 = lane_fma(x, lane_of((real)(6435.0 / 32768.0)), lane_of((real)(-429.0 / 2048.0)));
    p2 = lane_fma(x2, p3, p2);
#endif
    lane y = x * lane_fma(x2, lane_fma(x2, p2, p1), p0);
    lane_mask beyond = lane_greater(lane_abs(x), lane_of(LANE_SHORT_STRETCH));
    if (lane_short(series, beyond)) return y;
    lane r = lane_sqrt(1 + x);
    return lane_select(beyond, -x / (r * (1 + r)), y);
}

// 1 / (1 + w) for a cosine w in [0, 1], which may exceed 1 by rounding: with u = (1 - w) / 2 it is
// sum_k u^k / 2. Truncated after u^5; the remainder is below 1e-18 for u < 0.001; in single
// precision after u^2, 4e-9. Cosines below 0 are out of range, too.
LANE_INLINE lane lane_inverse_of_1_plus(lane w, lane_series *series)
{
    const lane half = lane_of(LANE_HALF);
    lane u = lane_fnma(half, w, half);
#if defined(SHERD_SINGLE)
    lane inverse = lane_fma(u, lane_fma(u, half, half), half);
#else
    lane u2 = u * u, pair = u + 1;           // (1 + u)(1 + u^2 + u^4)
    lane inverse = (LANE_HALF * pair) * lane_fma(u2, u2 + 1, lane_of(1));
#endif
    lane_mask beyond = lane_greater(u, lane_of(LANE_SHORT_TURN));
    if (lane_short(series, beyond)) return inverse;
    return lane_select(beyond, 1 / (1 + w), inverse);
}

// sqrt(2 / (1 + w)) for the same w, (1 - u)^(-1/2) = sum_k (2k)! / (4^k (k!)^2) u^k.
// Truncated after u^5; the remainder is below 0.23 * 0.001^6 = 2e-19; in single precision after
// u^2, 3e-9.
LANE_INLINE lane lane_root_of_2_over_1_plus(lane w, lane_series *series)
{
    const lane half = lane_of(LANE_HALF), one = lane_of(1);
    lane u = lane_fnma(half, w, half);
#if defined(SHERD_SINGLE)
    lane root = lane_fma(u, lane_fma(u, lane_of((real)(3.0 / 8.0)), half), one);
#else
    lane root = lane_fma(u, lane_of((real)(63.0 / 256.0)), lane_of((real)(35.0 / 128.0)));
    root = lane_fma(u, root, lane_of((real)(5.0 / 16.0)));
    root = lane_fma(u, lane_fma(u, lane_fma(u, root, lane_of((real)(3.0 / 8.0))), half), one);
#endif
    lane_mask beyond = lane_greater(u, lane_of(LANE_SHORT_TURN));
    if (lane_short(series, beyond)) return root;
    return lane_select(beyond, lane_sqrt(2 / (1 + w)), root);
}

// theta / sin(theta) as a function of u = (1 - cos(theta)) / 2, for theta in [0, pi], u in [0, 1]:
//   f(u) = asin(sqrt u) / sqrt(u (1 - u)) = sum_k 4^k (k!)^2 / (2k + 1)! u^k
// Truncated after u^9; the remainder is below 0.28 * 0.02^10 = 3e-18 up to u = 0.02, an angle of 16
// degrees.
static const real LANE_ANGLE_SERIES_LIMIT = (real)0.02;

LANE_INLINE lane lane_theta_over_sin_series(lane u)
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
    return lane_fma(sum, u, lane_of(1));
}

// For larger angles. Half the angle has cos(theta / 2) = sqrt(1 - u), hence
//   f(u) = f(v) / sqrt(1 - u),   v = (1 - sqrt(1 - u)) / 2,
// and after four halvings 1 has become less than 0.01. At 180 degrees, where f is infinite, any
// axis is valid: 1 - u is at least 5e-13.
LANE_INLINE lane lane_theta_over_sin_large(lane u)
{
    lane cosines = lane_of(1);
    for (int k = 0; k < 4; ++k) {
        lane cosine = lane_sqrt(lane_max(1 - u, lane_of((real)5e-13)));
        cosines = cosines * cosine;
        u = lane_fnma(lane_of(LANE_HALF), cosine, lane_of(LANE_HALF));
    }
    return lane_theta_over_sin_series(u) / cosines;
}

LANE_INLINE lane lane_theta_over_sin_long(lane u)
{
    lane sum = lane_theta_over_sin_series(u);
    lane_mask large = lane_greater(u, lane_of(LANE_ANGLE_SERIES_LIMIT));
    if (__builtin_expect(lane_any(large), 0))
        sum = lane_select(large, lane_theta_over_sin_large(u), sum);
    return sum;
}

// A shorter series near 0: after u^5, remainder below 0.34 * 0.001^6 = 4e-19; in single precision
// after u^2, remainder below 0.46 * 0.003^3 = 1.3e-8.
LANE_INLINE lane lane_theta_over_sin(lane u, lane_series *series)
{
    lane low = lane_fma(u, lane_of((real)(2.0 / 3.0)), lane_of(1)), u2 = u * u;
#if defined(SHERD_SINGLE)
    lane sum = lane_fma(u2, lane_of((real)(8.0 / 15.0)), low);
#else
    lane middle = lane_fma(u, lane_of((real)(16.0 / 35.0)), lane_of((real)(8.0 / 15.0)));
    lane high = lane_fma(u, lane_of((real)(256.0 / 693.0)), lane_of((real)(128.0 / 315.0)));
    lane sum = lane_fma(u2, lane_fma(u2, high, middle), low);
#endif
    lane_mask beyond = lane_greater(u, lane_of(LANE_SHORT_ANGLE));
    if (lane_short(series, beyond)) return sum;
    return lane_select(beyond, lane_theta_over_sin_long(u), sum);
}

// 2 asin(s) / s as a function of s^2 = |rho|^2, for a relative quaternion (rho, w) with w >= 0:
// the factor that turns rho into the rotation vector. s^2 in [0, 1]; rounding may take it beyond.
//   asin(s) / s = sum_k (2k)! / (4^k (k!)^2 (2k + 1)) s^2k
// Truncated after s^18; the remainder is below 0.009 * 0.02^10 = 1e-19. Beyond 0.02, with s the
// sine of half an angle, asin(s) / s = f((1 - cos) / 2), f as above.
LANE_INLINE lane lane_rotation_factor(lane s2, lane_series *series)
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
    lane_mask beyond = lane_greater(s2, lane_of(LANE_ANGLE_SERIES_LIMIT));
    if (lane_short(series, beyond)) return 2 * sum;
    lane cosine = lane_sqrt(lane_max(1 - s2, lane_of(0)));
    lane u = lane_fnma(lane_of(LANE_HALF), cosine, lane_of(LANE_HALF));
    return 2 * lane_select(beyond, lane_theta_over_sin_large(u), sum);
}

typedef struct lane_half_rotation_factors {
    lane sine, cosine; // sin(a) / a and cos(a)
} lane_half_rotation_factors;

// For a = |w dt / 2|, half the angle of a time step, as a function of a^2 in [0, 1/4]; an element
// that turns by half a radian in a step, a^2 = 1/16, has failed already.
// The series end at a^6; the remainders are below a^8 / 9! and a^8 / 8!, 3e-21 for a^2 < 1e-4. Up
// to 1/4 they end at a^14, with remainders below 7e-19.
LANE_INLINE lane_half_rotation_factors lane_half_rotation(lane a2)
{
    const lane one = lane_of(1);
    lane sine = lane_fma(a2, lane_of((real)(-1.0 / 5040.0)), lane_of((real)(1.0 / 120.0)));
    lane cosine = lane_fma(a2, lane_of((real)(-1.0 / 720.0)), lane_of((real)(1.0 / 24.0)));
    sine = lane_fma(a2, sine, lane_of((real)(-1.0 / 6.0)));
    cosine = lane_fma(a2, cosine, lane_of((real)(-1.0 / 2.0)));
    lane_half_rotation_factors t = {.sine = lane_fma(a2, sine, one),
                                    .cosine = lane_fma(a2, cosine, one)};
    const lane limit = lane_of((real)1e-4);
    if (__builtin_expect(!lane_any_greater(a2, limit), 1)) return t;
    lane_mask large = lane_greater(a2, limit);
    sine = cosine = one;
    for (int k = 14; k > 0; k -= 2) {
        sine = 1 - a2 * (real)(1.0 / (k * (k + 1))) * sine;
        cosine = 1 - a2 * (real)(1.0 / (k * (k - 1))) * cosine;
    }
    return (lane_half_rotation_factors){lane_select(large, sine, t.sine),
                                        lane_select(large, cosine, t.cosine)};
}
