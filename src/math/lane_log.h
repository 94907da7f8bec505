// Logarithm and exponential function of doubles on lanes, with the same bits for every width.
#pragma once

#include "math/lane.h"

#if defined(SHERD_SINGLE)
#error "lane_log.h computes with doubles"
#endif

// Upper bounds of the error, in gaps between 1 and the next double: relative to the larger of the
// result and its distance from a whole multiple of ln 2 (log), or to the result (exp). Tested by
// tests/unit/test_lane_log.c.
enum { LANE_ERROR_LOG = 2, LANE_ERROR_EXP = 2 };

static const double LANE_LN2_HIGH =
    0x1.62e42fefa38p-1; // 41 digits: times any exponent without rounding
static const double LANE_LN2_LOW = 0x1.ef35793c7673p-45;

// The bits of numbers, unsigned: sums and shifts wrap.
#if SHERD_LANES == 1
typedef uint64_t lane_words;
LANE_INLINE lane_words lane_to_words(lane x)
{
    lane_words w;
    memcpy(&w, &x, sizeof w);
    return w;
}
LANE_INLINE lane lane_of_words(lane_words w)
{
    lane x;
    memcpy(&x, &w, sizeof x);
    return x;
}
#else
typedef uint64_t lane_words __attribute__((vector_size(sizeof(real) * SHERD_LANES)));
LANE_INLINE lane_words lane_to_words(lane x)
{
    return (lane_words)x;
}
LANE_INLINE lane lane_of_words(lane_words w)
{
    return (lane)w;
}
#endif

// Adding this to a number below 2^51 in magnitude rounds to the nearest integer, in the last
// digits.
static const double LANE_ROUNDING = 0x1.8p52;
static const uint64_t LANE_ROUNDING_WORD = UINT64_C(0x4338000000000000);

// The nearest whole number, |x| < 2^51; halves go to the even one.
LANE_INLINE lane lane_round(lane x)
{
    return (x + lane_of(LANE_ROUNDING)) - lane_of(LANE_ROUNDING);
}

// Natural logarithm of normal numbers > 0: with x = m 2^e, m from sqrt(1/2) to sqrt(2), and s = (m - 1) / (m + 1),
//   log x = e log 2 + 2 (s + s^3 / 3 + s^5 / 5 + ...),
// truncated after s^23: the remainder is below 0.1716^25 / 25 * 2 = 7e-21.
LANE_INLINE lane lane_log(lane x)
{
    const uint64_t root_half = UINT64_C(0x3fe6a09e667f3bcd);
    // Exponents are above -1024: with that added, nothing negative is shifted.
    lane_words exponent =
        (((lane_to_words(x) - root_half + (UINT64_C(1024) << 52)) >> 52) & 0xfff) - 1024;
    lane m = lane_of_words(lane_to_words(x) - (exponent << 52));
    lane e = lane_of_words(exponent + LANE_ROUNDING_WORD) - lane_of(LANE_ROUNDING);
    lane s = (m - 1) / (m + 1), z = s * s, sum = lane_of(2.0 / 23.0);
    for (int k = 21; k > 1; k -= 2)
        sum = lane_fma(sum, z, lane_of(2.0 / k));
    lane rest = lane_fma(e, lane_of(LANE_LN2_LOW), s * z * sum);
    return lane_fma(e, lane_of(LANE_LN2_HIGH), lane_fma(lane_of(2.0), s, rest));
}

// e^x, with x limited to +-700. With x = n log 2 + r,
// r
// <= log(2) / 2, the series of e^r is truncated after r^13 / 13!: the remainder is below 0.3466^14
// / 14! = 5e-18.
LANE_INLINE lane lane_exp(lane x)
{
    x = lane_min(lane_max(x, lane_of(-700.0)), lane_of(700.0));
    lane shifted = lane_fma(x, lane_of(1.0 / 0.69314718055994531), lane_of(LANE_ROUNDING));
    lane n = shifted - lane_of(LANE_ROUNDING);
    lane r = lane_fnma(n, lane_of(LANE_LN2_LOW), lane_fnma(n, lane_of(LANE_LN2_HIGH), x));
    static const double inverse_factorial[14] = {1.0,
                                                 1.0,
                                                 1.0 / 2,
                                                 1.0 / 6,
                                                 1.0 / 24,
                                                 1.0 / 120,
                                                 1.0 / 720,
                                                 1.0 / 5040,
                                                 1.0 / 40320,
                                                 1.0 / 362880,
                                                 1.0 / 3628800,
                                                 1.0 / 39916800,
                                                 1.0 / 479001600,
                                                 1.0 / 6227020800};
    lane sum = lane_of(inverse_factorial[13]);
    for (int k = 12; k >= 0; --k)
        sum = lane_fma(sum, r, lane_of(inverse_factorial[k]));
    lane_words power = (lane_to_words(shifted) - LANE_ROUNDING_WORD) << 52;
    return lane_of_words(lane_to_words(sum) + power);
}
