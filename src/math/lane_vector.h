// Several numbers in one vector. Include math/lane.h, not this.
#pragma once

#if defined(__ARM_NEON)
#include <arm_neon.h>
#endif

enum { LANE_BYTES = (int)sizeof(real) * SHERD_LANES };

typedef real lane __attribute__((vector_size(sizeof(real) * SHERD_LANES)));
typedef lane_bits lane_mask __attribute__((vector_size(sizeof(real) * SHERD_LANES))); // 0 or -1

// The machine's own vectors, where lanes fill them exactly.
#if defined(__AVX512F__) && !defined(SHERD_SINGLE) && SHERD_LANES == 8
#define LANE_NATIVE(operation, ...) ((lane)_mm512_##operation##_pd(__VA_ARGS__))
#define LANE_WIDE __m512d
#elif defined(__AVX512F__) && defined(SHERD_SINGLE) && SHERD_LANES == 16
#define LANE_NATIVE(operation, ...) ((lane)_mm512_##operation##_ps(__VA_ARGS__))
#define LANE_WIDE __m512
#elif defined(__AVX2__) && !defined(SHERD_SINGLE) && SHERD_LANES == 4
#define LANE_NATIVE(operation, ...) ((lane)_mm256_##operation##_pd(__VA_ARGS__))
#define LANE_WIDE __m256d
#elif defined(__AVX2__) && defined(SHERD_SINGLE) && SHERD_LANES == 8
#define LANE_NATIVE(operation, ...) ((lane)_mm256_##operation##_ps(__VA_ARGS__))
#define LANE_WIDE __m256
#endif

// Doubles as wide as a lane: as many lanes, or half of them in single precision.
enum { DLANES = LANE_BYTES / (int)sizeof(double) };

typedef double dlane __attribute__((vector_size(sizeof(real) * SHERD_LANES)));
typedef real half_lane
    __attribute__((vector_size(sizeof(real) * sizeof(real) * SHERD_LANES / sizeof(double))));

LANE_INLINE dlane dlane_load(const double *from)
{
    dlane v;
    memcpy(&v, from, sizeof v);
    return v;
}

LANE_INLINE void dlane_store(double *to, dlane v)
{
    memcpy(to, &v, sizeof v);
}

LANE_INLINE dlane dlane_gather(const double *base, const int32_t *index)
{
#if defined(__AVX512F__)
    return (dlane)_mm512_i32gather_pd(_mm256_loadu_si256((const __m256i *)index), base, 8);
#else
    dlane v;
    for (int k = 0; k < DLANES; ++k)
        v[k] = base[index[k]];
    return v;
#endif
}

LANE_INLINE double dlane_get(dlane v, int k)
{
    return v[k];
}

// Rounded to reals, and that as doubles.
LANE_INLINE dlane dlane_rounded(dlane v)
{
    return __builtin_convertvector(__builtin_convertvector(v, half_lane), dlane);
}

// The lower or upper lanes as doubles; of doubles all.
LANE_INLINE dlane dlane_of_half(lane v, int half)
{
    union {
        lane all;
        half_lane half[sizeof(lane) / sizeof(half_lane)];
    } lanes = {v};
    return __builtin_convertvector(lanes.half[half], dlane);
}

LANE_INLINE dlane real_load(const real *from)
{
    half_lane r;
    memcpy(&r, from, sizeof r);
    return __builtin_convertvector(r, dlane);
}

LANE_INLINE void real_store(real *to, dlane v)
{
    half_lane r = __builtin_convertvector(v, half_lane);
    memcpy(to, &r, sizeof r);
}

// As many doubles as there are lanes; in single precision two vectors' worth.
typedef double wide __attribute__((vector_size(sizeof(double) * SHERD_LANES)));

LANE_INLINE wide wide_load(const double *from)
{
    wide v;
    memcpy(&v, from, sizeof v);
    return v;
}

LANE_INLINE void wide_store(double *to, wide v)
{
    memcpy(to, &v, sizeof v);
}

LANE_INLINE double wide_get(wide v, int k)
{
    return v[k];
}

LANE_INLINE lane lane_of_wide(wide v)
{
    return __builtin_convertvector(v, lane);
}

LANE_INLINE wide wide_of_lane(lane v)
{
    return __builtin_convertvector(v, wide);
}

LANE_INLINE lane lane_set(lane v, int k, real x)
{
    v[k] = x;
    return v;
}

LANE_INLINE real lane_get(lane v, int k)
{
    return v[k];
}

LANE_INLINE lane lane_load(const real *from)
{
    lane v;
    memcpy(&v, from, sizeof v);
    return v;
}

LANE_INLINE void lane_store(real *to, lane v)
{
    memcpy(to, &v, sizeof v);
}

// v_k = base[index_k]
LANE_INLINE lane lane_gather(const real *base, const int32_t *index)
{
#if defined(__AVX512F__) && !defined(SHERD_SINGLE) && SHERD_LANES == 8
    return (lane)_mm512_i32gather_pd(_mm256_loadu_si256((const __m256i *)index), base, 8);
#elif defined(__AVX512F__) && defined(SHERD_SINGLE) && SHERD_LANES == 16
    return (lane)_mm512_i32gather_ps(_mm512_loadu_si512(index), base, 4);
#else
    lane v;
    for (int k = 0; k < SHERD_LANES; ++k)
        v[k] = base[index[k]];
    return v;
#endif
}

LANE_INLINE lane lane_sqrt(lane v)
{
#if defined(LANE_NATIVE)
    return LANE_NATIVE(sqrt, (LANE_WIDE)v);
#else
    for (int k = 0; k < SHERD_LANES; ++k)
        v[k] = (real)sqrt(v[k]);
    return v;
#endif
}

// a b + c, rounded once where the machine has it.
LANE_INLINE lane lane_fma(lane a, lane b, lane c)
{
#if defined(LANE_NATIVE) && LANE_HAS_FMA
    return LANE_NATIVE(fmadd, (LANE_WIDE)a, (LANE_WIDE)b, (LANE_WIDE)c);
#elif defined(__ARM_NEON) && !defined(SHERD_SINGLE) && SHERD_LANES == 2
    return (lane)vfmaq_f64((float64x2_t)c, (float64x2_t)a, (float64x2_t)b);
#elif defined(__ARM_NEON) && defined(SHERD_SINGLE) && SHERD_LANES == 4
    return (lane)vfmaq_f32((float32x4_t)c, (float32x4_t)a, (float32x4_t)b);
#elif LANE_HAS_FMA
    for (int k = 0; k < SHERD_LANES; ++k)
        c[k] = real_fma(a[k], b[k], c[k]);
    return c;
#else
    return a * b + c;
#endif
}

// c - a b, rounded once where the machine has it.
LANE_INLINE lane lane_fnma(lane a, lane b, lane c)
{
#if defined(LANE_NATIVE) && LANE_HAS_FMA
    return LANE_NATIVE(fnmadd, (LANE_WIDE)a, (LANE_WIDE)b, (LANE_WIDE)c);
#elif LANE_HAS_FMA
    return lane_fma(-a, b, c);
#else
    return c - a * b;
#endif
}

LANE_INLINE lane_mask lane_sign_bits(lane v)
{
    const lane minus_zero = -(lane){0};
    return (lane_mask)v & (lane_mask)minus_zero;
}

LANE_INLINE lane lane_abs(lane v)
{
    return (lane)((lane_mask)v ^ lane_sign_bits(v));
}

// v with its sign changed where s is negative.
LANE_INLINE lane lane_flip_sign(lane v, lane s)
{
    return (lane)((lane_mask)v ^ lane_sign_bits(s));
}

LANE_INLINE lane_mask lane_greater(lane a, lane b)
{
    return (lane_mask)(a > b);
}

LANE_INLINE lane lane_select(lane_mask mask, lane yes, lane no)
{
    return (lane)(((lane_mask)yes & mask) | ((lane_mask)no & ~mask));
}

// a where a > b, otherwise b.
LANE_INLINE lane lane_max(lane a, lane b)
{
#if defined(LANE_NATIVE)
    return LANE_NATIVE(max, (LANE_WIDE)a, (LANE_WIDE)b);
#else
    return lane_select(lane_greater(a, b), a, b);
#endif
}

LANE_INLINE bool lane_any(lane_mask mask)
{
#if defined(__AVX512F__) && !defined(SHERD_SINGLE) && SHERD_LANES == 8
    return _mm512_test_epi64_mask((__m512i)mask, (__m512i)mask) != 0;
#elif defined(__AVX512F__) && defined(SHERD_SINGLE) && SHERD_LANES == 16
    return _mm512_test_epi32_mask((__m512i)mask, (__m512i)mask) != 0;
#elif defined(__AVX2__) && defined(LANE_NATIVE)
    return _mm256_movemask_epi8((__m256i)mask) != 0;
#else
    lane_bits any = 0;
    for (int k = 0; k < SHERD_LANES; ++k)
        any |= mask[k];
    return any != 0;
#endif
}

LANE_INLINE bool lane_any_greater(lane a, lane b)
{
#if defined(__AVX512F__) && !defined(SHERD_SINGLE) && SHERD_LANES == 8
    return _mm512_cmp_pd_mask((__m512d)a, (__m512d)b, _CMP_GT_OQ) != 0;
#elif defined(__AVX512F__) && defined(SHERD_SINGLE) && SHERD_LANES == 16
    return _mm512_cmp_ps_mask((__m512)a, (__m512)b, _CMP_GT_OQ) != 0;
#else
    return lane_any(lane_greater(a, b));
#endif
}

LANE_INLINE bool lane_mask_get(lane_mask mask, int k)
{
    return mask[k] != 0;
}

// Lane k is set when bit k is.
LANE_INLINE lane_mask lane_mask_of_bits(unsigned bits)
{
    lane_mask bit, all = (lane_mask){0} + (lane_bits)bits;
    for (int k = 0; k < SHERD_LANES; ++k)
        bit[k] = (lane_bits)1 << k;
    return (lane_mask)((all & bit) != 0);
}
