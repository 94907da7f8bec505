// Four doubles of a node in one vector: the same bits for every instruction set with fused multiply-adds.
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

LANE_INLINE quad quad_of(double s)
{
    return (quad){s, s, s, s};
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
