// Several numbers in one vector. Include math/lane.h, not this.
#pragma once

#if defined(__ARM_NEON)
#include <arm_neon.h>
#endif

enum { LANE_BYTES = (int)sizeof(real) * SHERD_LANES };

typedef real lane __attribute__((vector_size(sizeof(real) * SHERD_LANES)));
typedef lane_bits lane_ints __attribute__((vector_size(sizeof(real) * SHERD_LANES)));

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

// Their width in bits; 0 for other numbers of lanes.
#if !defined(LANE_NATIVE)
#define LANE_NATIVE_BYTES 0
#elif defined(__AVX512F__)
#define LANE_NATIVE_BYTES 64
#else
#define LANE_NATIVE_BYTES 32
#endif

// One bit for each lane if the machine has mask registers, otherwise 0 or -1 in each lane. Combine
// masks with & and
// , and with lane_not.
#if defined(__AVX512F__) && defined(LANE_NATIVE)
#define LANE_BIT_MASKS 1
#if SHERD_LANES == 16
typedef __mmask16 lane_mask;
#define LANE_MASKED(operation, ...) ((lane)_mm512_##operation##_ps(__VA_ARGS__))
#define LANE_COMPARE _mm512_cmp_ps_mask
#else
typedef __mmask8 lane_mask;
#define LANE_MASKED(operation, ...) ((lane)_mm512_##operation##_pd(__VA_ARGS__))
#define LANE_COMPARE _mm512_cmp_pd_mask
#endif
#else
#define LANE_BIT_MASKS 0
typedef lane_ints lane_mask;
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

// Uses intrinsics: GCC converts between vector lengths in halves or number by number.
typedef float dlane_singles __attribute__((vector_size(LANE_BYTES / 2)));

LANE_INLINE dlane dlane_of_singles(dlane_singles v)
{
#if LANE_NATIVE_BYTES == 64
    return (dlane)_mm512_cvtps_pd((__m256)v);
#elif LANE_NATIVE_BYTES == 32
    return (dlane)_mm256_cvtps_pd((__m128)v);
#else
    return __builtin_convertvector(v, dlane);
#endif
}

LANE_INLINE dlane_singles singles_of_dlane(dlane v)
{
#if LANE_NATIVE_BYTES == 64
    return (dlane_singles)_mm512_cvtpd_ps((__m512d)v);
#elif LANE_NATIVE_BYTES == 32
    return (dlane_singles)_mm256_cvtpd_ps((__m256d)v);
#else
    return __builtin_convertvector(v, dlane_singles);
#endif
}

LANE_INLINE dlane dlane_of_reals(half_lane v)
{
#if defined(SHERD_SINGLE)
    return dlane_of_singles(v);
#else
    return v;
#endif
}

LANE_INLINE half_lane reals_of_dlane(dlane v)
{
#if defined(SHERD_SINGLE)
    return singles_of_dlane(v);
#else
    return v;
#endif
}

// Rounded to reals and converted back to doubles.
LANE_INLINE dlane dlane_rounded(dlane v)
{
    return dlane_of_reals(reals_of_dlane(v));
}

// a b + c, with one rounding if the machine has fused multiply-adds.
LANE_INLINE dlane dlane_fma(dlane a, dlane b, dlane c)
{
#if LANE_NATIVE_BYTES == 64
    return (dlane)_mm512_fmadd_pd((__m512d)a, (__m512d)b, (__m512d)c);
#elif LANE_NATIVE_BYTES == 32 && LANE_HAS_FMA
    return (dlane)_mm256_fmadd_pd((__m256d)a, (__m256d)b, (__m256d)c);
#elif LANE_HAS_FMA
    for (int k = 0; k < DLANES; ++k)
        c[k] = __builtin_fma(a[k], b[k], c[k]);
    return c;
#else
    return a * b + c;
#endif
}

// The lower or upper lanes as doubles; all lanes in double precision.
LANE_INLINE dlane dlane_of_half(lane v, int half)
{
#if defined(__AVX512F__) && defined(SHERD_SINGLE) && SHERD_LANES == 16
    __m512 all = (__m512)v;
    return (dlane)_mm512_cvtps_pd(half ? _mm512_extractf32x8_ps(all, 1)
                                       : _mm512_castps512_ps256(all));
#elif defined(__AVX2__) && defined(SHERD_SINGLE) && SHERD_LANES == 8
    __m256 all = (__m256)v;
    return (dlane)_mm256_cvtps_pd(half ? _mm256_extractf128_ps(all, 1)
                                       : _mm256_castps256_ps128(all));
#else
    union {
        lane all;
        half_lane half[sizeof(lane) / sizeof(half_lane)];
    } lanes = {v};
    return __builtin_convertvector(lanes.half[half], dlane);
#endif
}

LANE_INLINE dlane real_load(const real *from)
{
    half_lane r;
    memcpy(&r, from, sizeof r);
    return dlane_of_reals(r);
}

LANE_INLINE void real_store(real *to, dlane v)
{
    half_lane r = reals_of_dlane(v);
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

LANE_INLINE lane lane_of_floats(const float *from)
{
    typedef float floats __attribute__((vector_size(sizeof(float) * SHERD_LANES)));
    floats v;
    memcpy(&v, from, sizeof v);
#if defined(SHERD_SINGLE)
    return v;
#else
    return __builtin_convertvector(v, lane);
#endif
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

// a b + c, with one rounding if the machine has fused multiply-adds.
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

// c - a b, with one rounding if the machine has fused multiply-adds.
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

LANE_INLINE lane_ints lane_sign_bits(lane v)
{
    const lane minus_zero = -(lane){0};
    return (lane_ints)v & (lane_ints)minus_zero;
}

LANE_INLINE lane lane_abs(lane v)
{
    return (lane)((lane_ints)v ^ lane_sign_bits(v));
}

// The bits of v that are set in `bits`.
LANE_INLINE lane lane_masked_bits(lane v, lane_bits bits)
{
    return (lane)((lane_ints)v & bits);
}

// v with its sign changed where s is negative.
LANE_INLINE lane lane_flip_sign(lane v, lane s)
{
    return (lane)((lane_ints)v ^ lane_sign_bits(s));
}

LANE_INLINE lane_mask lane_greater(lane a, lane b)
{
#if LANE_BIT_MASKS
    return LANE_COMPARE((LANE_WIDE)a, (LANE_WIDE)b, _CMP_GT_OQ);
#else
    return (lane_mask)(a > b);
#endif
}

LANE_INLINE lane_mask lane_not(lane_mask mask)
{
    return (lane_mask)~mask;
}

LANE_INLINE lane lane_select(lane_mask mask, lane yes, lane no)
{
#if LANE_BIT_MASKS
    return LANE_MASKED(mask_blend, mask, (LANE_WIDE)no, (LANE_WIDE)yes);
#else
    return (lane)(((lane_mask)yes & mask) | ((lane_mask)no & ~mask));
#endif
}

// v where the mask is set, otherwise 0.
LANE_INLINE lane lane_keep(lane_mask mask, lane v)
{
#if LANE_BIT_MASKS
    return LANE_MASKED(maskz_mov, mask, (LANE_WIDE)v);
#else
    return (lane)((lane_mask)v & mask);
#endif
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

// a where a < b, otherwise b.
LANE_INLINE lane lane_min(lane a, lane b)
{
#if defined(LANE_NATIVE)
    return LANE_NATIVE(min, (LANE_WIDE)a, (LANE_WIDE)b);
#else
    return lane_select(lane_greater(b, a), a, b);
#endif
}

LANE_INLINE bool lane_any(lane_mask mask)
{
#if LANE_BIT_MASKS
    return mask != 0;
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
    return lane_any(lane_greater(a, b));
}

LANE_INLINE bool lane_mask_get(lane_mask mask, int k)
{
#if LANE_BIT_MASKS
    return mask >> k & 1;
#else
    return mask[k] != 0;
#endif
}

// Bit k is set when lane k is.
LANE_INLINE unsigned lane_mask_bits(lane_mask mask)
{
#if LANE_BIT_MASKS
    return mask;
#elif defined(__AVX2__) && defined(LANE_NATIVE) && !defined(SHERD_SINGLE)
    return (unsigned)_mm256_movemask_pd((__m256d)mask);
#elif defined(__AVX2__) && defined(LANE_NATIVE)
    return (unsigned)_mm256_movemask_ps((__m256)mask);
#elif defined(__SSE2__) && defined(SHERD_SINGLE) && SHERD_LANES == 4
    return (unsigned)_mm_movemask_ps((__m128)mask);
#elif defined(__SSE2__) && !defined(SHERD_SINGLE) && SHERD_LANES == 2
    return (unsigned)_mm_movemask_pd((__m128d)mask);
#else
    unsigned bits = 0;
    for (int k = 0; k < SHERD_LANES; ++k)
        bits |= (unsigned)(mask[k] != 0) << k;
    return bits;
#endif
}

// Bit k is set when number k is negative.
LANE_INLINE unsigned lane_negative_bits(const int32_t *number)
{
#if defined(__AVX2__) && SHERD_LANES == 8
    return (unsigned)_mm256_movemask_ps((__m256)_mm256_loadu_si256((const __m256i *)number));
#else
    unsigned bits = 0;
    for (int k = 0; k < SHERD_LANES; ++k)
        bits |= (unsigned)(number[k] < 0) << k;
    return bits;
#endif
}

// Writes first + k for every set bit k, contiguously, and arbitrary values into the remaining ones
// of as many numbers as there are lanes. Without branches, which could not be predicted.
LANE_INLINE void lane_list_bits(int32_t *to, int32_t first, unsigned bits)
{
#if defined(__AVX512VL__) && SHERD_LANES == 8
    const __m256i place = _mm256_setr_epi32(0, 1, 2, 3, 4, 5, 6, 7);
    __m256i all = _mm256_add_epi32(place, _mm256_set1_epi32(first));
    _mm256_storeu_si256((__m256i *)to, _mm256_maskz_compress_epi32((__mmask8)bits, all));
#else
    for (int k = 0; k < SHERD_LANES; ++k) {
        *to = first + k;
        to += bits >> k & 1u;
    }
#endif
}

// The same for numbers from[k].
LANE_INLINE void lane_list_numbers(int32_t *to, const int32_t *from, unsigned bits)
{
#if defined(__AVX512VL__) && SHERD_LANES == 8
    __m256i all = _mm256_loadu_si256((const __m256i *)from);
    _mm256_storeu_si256((__m256i *)to, _mm256_maskz_compress_epi32((__mmask8)bits, all));
#else
    for (int k = 0; k < SHERD_LANES; ++k) {
        *to = from[k];
        to += bits >> k & 1u;
    }
#endif
}

// Lane k is set when bit k is.
LANE_INLINE lane_mask lane_mask_of_bits(unsigned bits)
{
#if LANE_BIT_MASKS
    return (lane_mask)bits;
#else
    lane_mask bit, all = (lane_mask){0} + (lane_bits)bits;
    for (int k = 0; k < SHERD_LANES; ++k)
        bit[k] = (lane_bits)1 << k;
    return (lane_mask)((all & bit) != 0);
#endif
}
