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

// Physics on lanes must melt into the loops that call it: a call would pass its vectors in memory.
#define LANE_INLINE static inline __attribute__((always_inline))

// Eight doubles that lie together in memory: half of an element's packed state, or its load.
typedef double row8 __attribute__((vector_size(64)));

#if SHERD_LANES == 1

typedef double lane;
typedef int64_t lane_mask; // 0 or -1

LANE_INLINE lane lane_set(lane v, int k, double x)
{
    (void)v;
    (void)k;
    return x;
}

LANE_INLINE double lane_get(lane v, int k)
{
    (void)k;
    return v;
}

LANE_INLINE lane lane_sqrt(lane v)
{
    return sqrt(v);
}

LANE_INLINE lane_mask lane_greater(lane a, lane b)
{
    return a > b ? -1 : 0;
}

LANE_INLINE lane lane_select(lane_mask mask, lane yes, lane no)
{
    return mask ? yes : no;
}

LANE_INLINE bool lane_any(lane_mask mask)
{
    return mask != 0;
}

LANE_INLINE bool lane_mask_get(lane_mask mask, int k)
{
    (void)k;
    return mask != 0;
}

// column[c] = base[stride * index + c], and back.
LANE_INLINE void lane_load_rows(const double *base, int64_t stride, const int32_t *index,
                                lane column[8])
{
    for (int c = 0; c < 8; ++c)
        column[c] = base[stride * index[0] + c];
}

LANE_INLINE void lane_to_rows(const lane column[8], row8 row[1])
{
    for (int c = 0; c < 8; ++c)
        row[0][c] = column[c];
}

#else

#include <string.h>
#if defined(__SSE2__)
#include <immintrin.h>
#endif

typedef double lane __attribute__((vector_size(8 * SHERD_LANES)));
typedef int64_t lane_mask __attribute__((vector_size(8 * SHERD_LANES))); // 0 or -1 per lane

LANE_INLINE lane lane_set(lane v, int k, double x)
{
    v[k] = x;
    return v;
}

LANE_INLINE double lane_get(lane v, int k)
{
    return v[k];
}

LANE_INLINE lane lane_sqrt(lane v)
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

LANE_INLINE lane_mask lane_greater(lane a, lane b)
{
    return (lane_mask)(a > b);
}

LANE_INLINE lane lane_select(lane_mask mask, lane yes, lane no)
{
    return (lane)(((lane_mask)yes & mask) | ((lane_mask)no & ~mask));
}

LANE_INLINE bool lane_any(lane_mask mask)
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

LANE_INLINE bool lane_mask_get(lane_mask mask, int k)
{
    return mask[k] != 0;
}

// Transposes 8 rows of 8 in three rounds of exchanging neighbours, pairs and halves.
LANE_INLINE void lane_transpose(row8 r[8])
{
    row8 t[8], u[8];
    for (int k = 0; k < 8; k += 2) {
        t[k] = __builtin_shufflevector(r[k], r[k + 1], 0, 8, 2, 10, 4, 12, 6, 14);
        t[k + 1] = __builtin_shufflevector(r[k], r[k + 1], 1, 9, 3, 11, 5, 13, 7, 15);
    }
    for (int k = 0; k < 8; k += 4) {
        for (int m = k; m < k + 2; ++m) {
            u[m] = __builtin_shufflevector(t[m], t[m + 2], 0, 1, 8, 9, 4, 5, 12, 13);
            u[m + 2] = __builtin_shufflevector(t[m], t[m + 2], 2, 3, 10, 11, 6, 7, 14, 15);
        }
    }
    for (int k = 0; k < 4; ++k) {
        r[k] = __builtin_shufflevector(u[k], u[k + 4], 0, 1, 2, 3, 8, 9, 10, 11);
        r[k + 4] = __builtin_shufflevector(u[k], u[k + 4], 4, 5, 6, 7, 12, 13, 14, 15);
    }
}

// column[c] of lane k = base[stride * index[k] + c], and back. Rows are aligned to 64 bytes.
LANE_INLINE void lane_load_rows(const double *base, int64_t stride, const int32_t *index,
                                lane column[8])
{
    for (int k = 0; k < 8; ++k)
        column[k] = *(const row8 *)(base + stride * index[k]);
    lane_transpose(column);
}

LANE_INLINE void lane_to_rows(const lane column[8], row8 row[8])
{
    for (int k = 0; k < 8; ++k)
        row[k] = column[k];
    lane_transpose(row);
}

#endif

LANE_INLINE lane lane_of(double x)
{
    return x + (lane){0.0};
}

LANE_INLINE lane lane_abs(lane v)
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

LANE_INLINE lane3 lane3_add(lane3 a, lane3 b)
{
    return (lane3){a.x + b.x, a.y + b.y, a.z + b.z};
}

LANE_INLINE lane3 lane3_sub(lane3 a, lane3 b)
{
    return (lane3){a.x - b.x, a.y - b.y, a.z - b.z};
}

LANE_INLINE lane3 lane3_scale(lane s, lane3 a)
{
    return (lane3){s * a.x, s * a.y, s * a.z};
}

// a + s b
LANE_INLINE lane3 lane3_add_scaled(lane3 a, lane s, lane3 b)
{
    return (lane3){a.x + s * b.x, a.y + s * b.y, a.z + s * b.z};
}

LANE_INLINE lane lane3_dot(lane3 a, lane3 b)
{
    return a.x * b.x + a.y * b.y + a.z * b.z;
}

LANE_INLINE lane3 lane3_cross(lane3 a, lane3 b)
{
    return (lane3){a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x};
}

LANE_INLINE lane lane4_dot(lane4 a, lane4 b)
{
    return a.x * b.x + a.y * b.y + a.z * b.z + a.w * b.w;
}

// R(q) v, scaled by |q|^2 when q is not a unit quaternion.
LANE_INLINE lane3 lane4_rotate(lane4 q, lane3 v)
{
    lane3 u = {q.x, q.y, q.z};
    lane3 t = lane3_cross(u, v);
    lane3 uu = lane3_cross(u, t);
    lane norm2 = lane4_dot(q, q);
    return (lane3){norm2 * v.x + 2.0 * (q.w * t.x + uu.x), norm2 * v.y + 2.0 * (q.w * t.y + uu.y),
                   norm2 * v.z + 2.0 * (q.w * t.z + uu.z)};
}
