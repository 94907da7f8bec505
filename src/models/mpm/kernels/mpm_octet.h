// Two quads that stand side by side, such as the eight numbers of a node: one vector where the
// machine has vectors of eight, with the bits of two.
#pragma once

#include "models/mpm/kernels/mpm_quad.h"

#if defined(__AVX512F__)

typedef double octet __attribute__((vector_size(64)));

LANE_INLINE octet octet_of(quad first, quad second)
{
    return __builtin_shufflevector(first, second, 0, 1, 2, 3, 4, 5, 6, 7);
}

LANE_INLINE quad octet_first(octet v)
{
    return __builtin_shufflevector(v, v, 0, 1, 2, 3);
}

LANE_INLINE quad octet_second(octet v)
{
    return __builtin_shufflevector(v, v, 4, 5, 6, 7);
}

LANE_INLINE octet octet_load(const double *from)
{
    return *(const octet *)__builtin_assume_aligned(from, sizeof(octet));
}

LANE_INLINE void octet_store(double *to, octet v)
{
    *(octet *)__builtin_assume_aligned(to, sizeof(octet)) = v;
}

// Both where quads are, not only where octets may be.
LANE_INLINE octet octet_load_any(const double *from)
{
    return (octet)_mm512_loadu_pd(from);
}

LANE_INLINE void octet_store_any(double *to, octet v)
{
    _mm512_storeu_pd(to, (__m512d)v);
}

LANE_INLINE octet octet_times(octet a, octet b)
{
    return a * b;
}

// a b + c.
LANE_INLINE octet octet_add_product(octet a, octet b, octet c)
{
    return (octet)_mm512_fmadd_pd((__m512d)a, (__m512d)b, (__m512d)c);
}

LANE_INLINE octet octet_plus(octet a, octet b)
{
    return a + b;
}

// The first quad of one number, the second of another.
LANE_INLINE octet octet_of_two(double first, double second)
{
    return (octet)_mm512_mask_broadcastsd_pd(_mm512_set1_pd(first), 0xf0, _mm_set_sd(second));
}

// s b + c.
LANE_INLINE octet octet_fma(double s, octet b, octet c)
{
    return (octet)_mm512_fmadd_pd(_mm512_set1_pd(s), (__m512d)b, (__m512d)c);
}

// The same of the second quad; the first is that of c.
LANE_INLINE octet octet_fma_second(double s, octet b, octet c)
{
    return (octet)_mm512_mask3_fmadd_pd(_mm512_set1_pd(s), (__m512d)b, (__m512d)c, 0xf0);
}

#else

typedef struct octet {
    quad first, second;
} octet;

LANE_INLINE octet octet_of(quad first, quad second)
{
    return (octet){first, second};
}

LANE_INLINE quad octet_first(octet v)
{
    return v.first;
}

LANE_INLINE quad octet_second(octet v)
{
    return v.second;
}

LANE_INLINE octet octet_load(const double *from)
{
    return (octet){quad_load(from), quad_load(from + 4)};
}

LANE_INLINE void octet_store(double *to, octet v)
{
    quad_store(to, v.first), quad_store(to + 4, v.second);
}

LANE_INLINE octet octet_load_any(const double *from)
{
    return octet_load(from);
}

LANE_INLINE void octet_store_any(double *to, octet v)
{
    octet_store(to, v);
}

LANE_INLINE octet octet_times(octet a, octet b)
{
    return (octet){a.first * b.first, a.second * b.second};
}

LANE_INLINE octet octet_add_product(octet a, octet b, octet c)
{
    return (octet){quad_fma(a.first, b.first, c.first), quad_fma(a.second, b.second, c.second)};
}

LANE_INLINE octet octet_plus(octet a, octet b)
{
    return (octet){a.first + b.first, a.second + b.second};
}

LANE_INLINE octet octet_of_two(double first, double second)
{
    return (octet){quad_of(first), quad_of(second)};
}

LANE_INLINE octet octet_fma(double s, octet b, octet c)
{
    return (octet){quad_fma(quad_of(s), b.first, c.first),
                   quad_fma(quad_of(s), b.second, c.second)};
}

LANE_INLINE octet octet_fma_second(double s, octet b, octet c)
{
    return (octet){c.first, quad_fma(quad_of(s), b.second, c.second)};
}

#endif

LANE_INLINE octet octet_of_one(double s)
{
    return octet_of(quad_of(s), quad_of(s));
}
