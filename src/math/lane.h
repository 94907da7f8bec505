// One type for scalar and vector arithmetic: physics is written once, on `lane`, and compiled for 1
// double at a time (the reference) or for 8 (GCC and Clang vector extensions; the compiler splits
// them into what the machine has). Define SHERD_LANES before including.
//
// With -ffp-contract=off both give bitwise the same results.
#pragma once

#include <math.h>
#include <stdbool.h>
#include <stdint.h>

#ifndef SHERD_LANES
#error "define SHERD_LANES as 1 or 8 before including math/lane.h"
#endif

#if SHERD_LANES == 1

typedef double lane;
typedef int64_t lane_mask; // 0 or -1

static inline lane lane_set(lane v, int k, double x)
{
    (void)v;
    (void)k;
    return x;
}

static inline double lane_get(lane v, int k)
{
    (void)k;
    return v;
}

static inline lane lane_sqrt(lane v)
{
    return sqrt(v);
}

static inline lane_mask lane_greater(lane a, lane b)
{
    return a > b ? -1 : 0;
}

static inline lane lane_select(lane_mask mask, lane yes, lane no)
{
    return mask ? yes : no;
}

static inline bool lane_any(lane_mask mask)
{
    return mask != 0;
}

static inline bool lane_mask_get(lane_mask mask, int k)
{
    (void)k;
    return mask != 0;
}

#else

#include <string.h>
#if defined(__SSE2__)
#include <immintrin.h>
#endif

typedef double lane __attribute__((vector_size(8 * SHERD_LANES)));
typedef int64_t lane_mask __attribute__((vector_size(8 * SHERD_LANES))); // 0 or -1 per lane

static inline lane lane_set(lane v, int k, double x)
{
    v[k] = x;
    return v;
}

static inline double lane_get(lane v, int k)
{
    return v[k];
}

static inline lane lane_sqrt(lane v)
{
    lane root;
#if defined(__AVX512F__)
    root = (lane)_mm512_sqrt_pd((__m512d)v);
#elif defined(__AVX__)
    __m256d part[2];
    memcpy(part, &v, sizeof v);
    part[0] = _mm256_sqrt_pd(part[0]);
    part[1] = _mm256_sqrt_pd(part[1]);
    memcpy(&root, part, sizeof root);
#else
    for (int k = 0; k < SHERD_LANES; ++k)
        root[k] = sqrt(v[k]);
#endif
    return root;
}

static inline lane_mask lane_greater(lane a, lane b)
{
    return (lane_mask)(a > b);
}

static inline lane lane_select(lane_mask mask, lane yes, lane no)
{
    return (lane)(((lane_mask)yes & mask) | ((lane_mask)no & ~mask));
}

static inline bool lane_any(lane_mask mask)
{
#if defined(__AVX512F__)
    return _mm512_test_epi64_mask((__m512i)mask, (__m512i)mask) != 0;
#else
    int64_t any = 0;
    for (int k = 0; k < SHERD_LANES; ++k)
        any |= mask[k];
    return any != 0;
#endif
}

static inline bool lane_mask_get(lane_mask mask, int k)
{
    return mask[k] != 0;
}

#endif

static inline lane lane_of(double x)
{
    return x + (lane){0.0};
}

static inline lane lane_abs(lane v)
{
    return lane_select(lane_greater(lane_of(0.0), v), -v, v);
}

// ---- vectors and quaternions of lanes

typedef struct lane3 {
    lane x, y, z;
} lane3;

typedef struct lane4 {
    lane x, y, z, w;
} lane4;

static inline lane3 lane3_add(lane3 a, lane3 b)
{
    return (lane3){a.x + b.x, a.y + b.y, a.z + b.z};
}

static inline lane3 lane3_sub(lane3 a, lane3 b)
{
    return (lane3){a.x - b.x, a.y - b.y, a.z - b.z};
}

static inline lane3 lane3_scale(lane s, lane3 a)
{
    return (lane3){s * a.x, s * a.y, s * a.z};
}

// a + s b
static inline lane3 lane3_add_scaled(lane3 a, lane s, lane3 b)
{
    return (lane3){a.x + s * b.x, a.y + s * b.y, a.z + s * b.z};
}

static inline lane lane3_dot(lane3 a, lane3 b)
{
    return a.x * b.x + a.y * b.y + a.z * b.z;
}

static inline lane3 lane3_cross(lane3 a, lane3 b)
{
    return (lane3){a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x};
}

static inline lane lane4_dot(lane4 a, lane4 b)
{
    return a.x * b.x + a.y * b.y + a.z * b.z + a.w * b.w;
}

// R(q) v, scaled by |q|^2 when q is not a unit quaternion.
static inline lane3 lane4_rotate(lane4 q, lane3 v)
{
    lane3 u = {q.x, q.y, q.z};
    lane3 t = lane3_cross(u, v);
    lane3 uu = lane3_cross(u, t);
    lane norm2 = lane4_dot(q, q);
    return (lane3){norm2 * v.x + 2.0 * (q.w * t.x + uu.x), norm2 * v.y + 2.0 * (q.w * t.y + uu.y),
                   norm2 * v.z + 2.0 * (q.w * t.z + uu.z)};
}
