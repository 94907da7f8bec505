// Two quads that stand side by side, such as the eight numbers of a node: one vector where the machine has vectors of eight,
// with the bits of two.
#pragma once

#include "models/mpm/kernels/mpm_quad.h"

#if defined(__AVX512F__)

typedef double twin __attribute__((vector_size(64)));

LANE_INLINE twin twin_of(quad first, quad second)
{
    return __builtin_shufflevector(first, second, 0, 1, 2, 3, 4, 5, 6, 7);
}

LANE_INLINE quad twin_first(twin v)
{
    return __builtin_shufflevector(v, v, 0, 1, 2, 3);
}

LANE_INLINE quad twin_second(twin v)
{
    return __builtin_shufflevector(v, v, 4, 5, 6, 7);
}

LANE_INLINE twin twin_load(const double *from)
{
    return *(const twin *)__builtin_assume_aligned(from, sizeof(twin));
}

LANE_INLINE void twin_store(double *to, twin v)
{
    *(twin *)__builtin_assume_aligned(to, sizeof(twin)) = v;
}

// Both where quads are, not only where twins may be.
LANE_INLINE twin twin_load_any(const double *from)
{
    return (twin)_mm512_loadu_pd(from);
}

LANE_INLINE void twin_store_any(double *to, twin v)
{
    _mm512_storeu_pd(to, (__m512d)v);
}

LANE_INLINE twin twin_times(twin a, twin b)
{
    return a * b;
}

// a b + c.
LANE_INLINE twin twin_add_product(twin a, twin b, twin c)
{
    return (twin)_mm512_fmadd_pd((__m512d)a, (__m512d)b, (__m512d)c);
}

LANE_INLINE twin twin_plus(twin a, twin b)
{
    return a + b;
}

// The first quad of one number, the second of another.
LANE_INLINE twin twin_of_two(double first, double second)
{
    return (twin)_mm512_mask_broadcastsd_pd(_mm512_set1_pd(first), 0xf0, _mm_set_sd(second));
}

// s b + c.
LANE_INLINE twin twin_fma(double s, twin b, twin c)
{
    return (twin)_mm512_fmadd_pd(_mm512_set1_pd(s), (__m512d)b, (__m512d)c);
}

// The same of the second quad; the first is that of c.
LANE_INLINE twin twin_fma_second(double s, twin b, twin c)
{
    return (twin)_mm512_mask3_fmadd_pd(_mm512_set1_pd(s), (__m512d)b, (__m512d)c, 0xf0);
}

#else

typedef struct twin {
    quad first, second;
} twin;

LANE_INLINE twin twin_of(quad first, quad second)
{
    return (twin){first, second};
}

LANE_INLINE quad twin_first(twin v)
{
    return v.first;
}

LANE_INLINE quad twin_second(twin v)
{
    return v.second;
}

LANE_INLINE twin twin_load(const double *from)
{
    return (twin){quad_load(from), quad_load(from + 4)};
}

LANE_INLINE void twin_store(double *to, twin v)
{
    quad_store(to, v.first), quad_store(to + 4, v.second);
}

LANE_INLINE twin twin_load_any(const double *from)
{
    return twin_load(from);
}

LANE_INLINE void twin_store_any(double *to, twin v)
{
    twin_store(to, v);
}

LANE_INLINE twin twin_times(twin a, twin b)
{
    return (twin){a.first * b.first, a.second * b.second};
}

LANE_INLINE twin twin_add_product(twin a, twin b, twin c)
{
    return (twin){quad_fma(a.first, b.first, c.first), quad_fma(a.second, b.second, c.second)};
}

LANE_INLINE twin twin_plus(twin a, twin b)
{
    return (twin){a.first + b.first, a.second + b.second};
}

LANE_INLINE twin twin_of_two(double first, double second)
{
    return (twin){quad_of(first), quad_of(second)};
}

LANE_INLINE twin twin_fma(double s, twin b, twin c)
{
    return (twin){quad_fma(quad_of(s), b.first, c.first), quad_fma(quad_of(s), b.second, c.second)};
}

LANE_INLINE twin twin_fma_second(double s, twin b, twin c)
{
    return (twin){c.first, quad_fma(quad_of(s), b.second, c.second)};
}

#endif

LANE_INLINE twin twin_of_one(double s)
{
    return twin_of(quad_of(s), quad_of(s));
}
