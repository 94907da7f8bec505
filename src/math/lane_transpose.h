// Transposes square blocks of lanes: number k of vector n becomes number n of vector k.
#pragma once

#include "math/lane.h"

#if SHERD_LANES == 1

LANE_INLINE void lane_transpose(lane r[SHERD_LANES])
{
    (void)r;
}

LANE_INLINE void lane_transpose_8(lane r[8])
{
    (void)r;
}

LANE_INLINE void dlane_transpose(dlane r[DLANES])
{
    (void)r;
}

#else

// In rounds, each exchanging the off-diagonal quarters of squares of 2 d, d = 1, 2, 4, ...
#define LANE_UPPER(i, d, n) (((i) & (d)) == 0 ? (i) : (n) + (i) - (d))
#define LANE_LOWER(i, d, n) (((i) & (d)) == 0 ? (i) + (d) : (n) + (i))

#define LANE_LIST2(which, i, d, n) which(i, d, n), which(i + 1, d, n)
#define LANE_LIST4(which, i, d, n) LANE_LIST2(which, i, d, n), LANE_LIST2(which, i + 2, d, n)
#define LANE_LIST8(which, i, d, n) LANE_LIST4(which, i, d, n), LANE_LIST4(which, i + 4, d, n)
#define LANE_LIST16(which, i, d, n) LANE_LIST8(which, i, d, n), LANE_LIST8(which, i + 8, d, n)

#define LANE_EXCHANGE(vector, n, d, k)                                                             \
    {                                                                                              \
        vector upper = r[k], lower = r[(k) + (d)];                                                 \
        r[k] = __builtin_shufflevector(upper, lower, LANE_LIST##n(LANE_UPPER, 0, d, n));           \
        r[(k) + (d)] = __builtin_shufflevector(upper, lower, LANE_LIST##n(LANE_LOWER, 0, d, n));   \
    }

#define LANE_ROUND(vector, n, d)                                                                   \
    for (int k = 0; k < (n); ++k)                                                                  \
        if (((k) & (d)) == 0) LANE_EXCHANGE(vector, n, d, k)

#define LANE_ROUNDS1(vector)
#define LANE_ROUNDS2(vector) LANE_ROUND(vector, 2, 1)
#define LANE_ROUNDS4(vector) LANE_ROUND(vector, 4, 1) LANE_ROUND(vector, 4, 2)
#define LANE_ROUNDS8(vector)                                                                       \
    LANE_ROUND(vector, 8, 1) LANE_ROUND(vector, 8, 2) LANE_ROUND(vector, 8, 4)
#define LANE_ROUNDS16(vector)                                                                      \
    LANE_ROUND(vector, 16, 1)                                                                      \
    LANE_ROUND(vector, 16, 2) LANE_ROUND(vector, 16, 4) LANE_ROUND(vector, 16, 8)

#define LANE_ROUNDS_OF2(vector, n) LANE_ROUNDS##n(vector)
#define LANE_ROUNDS_OF(vector, n) LANE_ROUNDS_OF2(vector, n)

LANE_INLINE void lane_transpose(lane r[SHERD_LANES]){LANE_ROUNDS_OF(lane, SHERD_LANES)}

// Eight vectors, in blocks of 8 by 8 or, with fewer lanes, smaller ones.
LANE_INLINE void lane_transpose_8(lane r[8])
{
#if SHERD_LANES == 16
    for (int k = 0; k < 8; k += 2)
        LANE_EXCHANGE(lane, 16, 1, k)
    for (int k = 0; k < 8; ++k)
        if ((k & 2) == 0) LANE_EXCHANGE(lane, 16, 2, k)
    for (int k = 0; k < 4; ++k)
        LANE_EXCHANGE(lane, 16, 4, k)
#else
    for (int k = 0; k < 8; k += SHERD_LANES)
        lane_transpose(r + k);
#endif
}

// The same for doubles as wide as a lane.
#if !defined(SHERD_SINGLE)
#define LANE_DLANES SHERD_LANES
#elif SHERD_LANES == 16
#define LANE_DLANES 8
#elif SHERD_LANES == 8
#define LANE_DLANES 4
#else
#define LANE_DLANES 2
#endif

LANE_INLINE void dlane_transpose(dlane r[DLANES])
{
    LANE_ROUNDS_OF(dlane, LANE_DLANES)
}

#endif
