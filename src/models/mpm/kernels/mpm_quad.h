// Four doubles of a node in one vector: the same bits for every instruction set with fused
// multiply-adds.
#pragma once

#include "math/lane.h"

typedef double quad __attribute__((vector_size(32)));

LANE_INLINE quad quad_load(const double *from)
{
    return *(const quad *)__builtin_assume_aligned(from, sizeof(quad));
}

LANE_INLINE void quad_store(double *to, quad v)
{
    *(quad *)__builtin_assume_aligned(to, sizeof(quad)) = v;
}

// Without vectors of four, one by one through memory is how compilers would put them together.
LANE_INLINE quad quad_of(double s)
{
#if defined(__AVX__)
    return (quad){s, s, s, s};
#else
    typedef double pair __attribute__((vector_size(16)));
    pair half = {s, s};
    quad v;
    memcpy(&v, &half, sizeof half), memcpy((char *)&v + sizeof half, &half, sizeof half);
    return v;
#endif
}

// a b + c, rounded once where the machine has it.
LANE_INLINE quad quad_fma(quad a, quad b, quad c)
{
#if defined(__AVX2__) && LANE_HAS_FMA
    return (quad)_mm256_fmadd_pd((__m256d)a, (__m256d)b, (__m256d)c);
#else
    return a * b + c;
#endif
}

// Both where doubles are, not only where quads may be.
LANE_INLINE quad quad_load_any(const double *from)
{
    quad v;
    memcpy(&v, from, sizeof v);
    return v;
}

LANE_INLINE void quad_store_any(double *to, quad v)
{
    memcpy(to, &v, sizeof v);
}

// Three of the first and one of the second.
LANE_INLINE quad quad_three_and_one(const double *first, const double *second)
{
#if defined(__AVX2__)
    return (quad)_mm256_blend_pd(_mm256_broadcast_sd(first), _mm256_broadcast_sd(second), 8);
#else
    return (quad){*first, *first, *first, *second};
#endif
}

// Two of each.
LANE_INLINE quad quad_two_and_two(const double *first, const double *second)
{
#if defined(__AVX2__)
    return (quad)_mm256_blend_pd(_mm256_broadcast_sd(first), _mm256_broadcast_sd(second), 12);
#else
    return (quad){*first, *first, *second, *second};
#endif
}
