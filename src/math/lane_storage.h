// Doubles stored in fewer bits: singles, short doubles, indices into a table. Loads one dlane of
// consecutive ones.
#pragma once

#include "math/lane.h"
#include "math/short_double.h"

#if SHERD_LANES == 1

LANE_INLINE dlane dlane_load_single(const float *from)
{
    return (dlane)*from;
}

LANE_INLINE void dlane_store_single(float *to, dlane v)
{
    *to = (float)v;
}

LANE_INLINE dlane dlane_load_short(const uint32_t *high, const uint16_t *low)
{
    return short_double_value(*high, *low);
}

LANE_INLINE void dlane_store_short(uint32_t *high, uint16_t *low, dlane v)
{
    short_double s = short_double_of(v);
    *high = s.high, *low = s.low;
}

LANE_INLINE void dlane_indices(int32_t *to, const uint16_t *from)
{
    *to = *from;
}

LANE_INLINE dlane dlane_load_bytes(const uint8_t *from)
{
    return *from;
}

#else

typedef uint64_t dlane_uint64 __attribute__((vector_size(LANE_BYTES)));
typedef uint32_t dlane_uint32 __attribute__((vector_size(LANE_BYTES / 2)));
typedef int32_t dlane_int32 __attribute__((vector_size(LANE_BYTES / 2)));
typedef uint16_t dlane_uint16 __attribute__((vector_size(LANE_BYTES / 4)));
typedef uint8_t dlane_uint8 __attribute__((vector_size(LANE_BYTES / 8)));

// By instruction, as in lane_vector.h.
LANE_INLINE dlane_uint64 dlane_of_uint32(dlane_uint32 v)
{
#if LANE_NATIVE_BYTES == 64
    return (dlane_uint64)_mm512_cvtepu32_epi64((__m256i)v);
#elif LANE_NATIVE_BYTES == 32
    return (dlane_uint64)_mm256_cvtepu32_epi64((__m128i)v);
#else
    return __builtin_convertvector(v, dlane_uint64);
#endif
}

LANE_INLINE dlane_uint64 dlane_of_uint16(dlane_uint16 v)
{
#if LANE_NATIVE_BYTES == 64
    return (dlane_uint64)_mm512_cvtepu16_epi64((__m128i)v);
#elif LANE_NATIVE_BYTES == 32
    int64_t all;
    memcpy(&all, &v, sizeof all);
    return (dlane_uint64)_mm256_cvtepu16_epi64(_mm_cvtsi64_si128(all));
#else
    return __builtin_convertvector(v, dlane_uint64);
#endif
}

LANE_INLINE dlane_uint32 dlane_uint32_of(dlane_uint64 v)
{
#if LANE_NATIVE_BYTES == 64
    return (dlane_uint32)_mm512_cvtepi64_epi32((__m512i)v);
#elif LANE_NATIVE_BYTES == 32
    const __m256i even = _mm256_setr_epi32(0, 2, 4, 6, 0, 2, 4, 6);
    return (dlane_uint32)_mm256_castsi256_si128(_mm256_permutevar8x32_epi32((__m256i)v, even));
#else
    return __builtin_convertvector(v, dlane_uint32);
#endif
}

LANE_INLINE dlane_uint16 dlane_uint16_of(dlane_uint64 v)
{
#if LANE_NATIVE_BYTES == 64
    return (dlane_uint16)_mm512_cvtepi64_epi16((__m512i)v);
#elif LANE_NATIVE_BYTES == 32
    // Both numbers of each half side by side, then those of both halves.
    const __m128i pairs = _mm_setr_epi8(0, 1, 8, 9, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1);
    const __m256i halves = _mm256_setr_epi32(0, 4, 1, 1, 1, 1, 1, 1);
    __m256i paired = _mm256_shuffle_epi8((__m256i)v, _mm256_broadcastsi128_si256(pairs));
    int64_t all =
        _mm_cvtsi128_si64(_mm256_castsi256_si128(_mm256_permutevar8x32_epi32(paired, halves)));
    dlane_uint16 numbers;
    memcpy(&numbers, &all, sizeof numbers);
    return numbers;
#else
    return __builtin_convertvector(v, dlane_uint16);
#endif
}

LANE_INLINE dlane dlane_load_single(const float *from)
{
    dlane_singles v;
    memcpy(&v, from, sizeof v);
    return dlane_of_singles(v);
}

LANE_INLINE void dlane_store_single(float *to, dlane v)
{
    dlane_singles s = singles_of_dlane(v);
    memcpy(to, &s, sizeof s);
}

LANE_INLINE dlane dlane_load_short(const uint32_t *high, const uint16_t *low)
{
    dlane_uint32 h;
    dlane_uint16 l;
    memcpy(&h, high, sizeof h);
    memcpy(&l, low, sizeof l);
    return (dlane)(dlane_of_uint32(h) << 32 | dlane_of_uint16(l) << 16);
}

LANE_INLINE void dlane_store_short(uint32_t *high, uint16_t *low, dlane v)
{
    dlane_uint64 bits = (dlane_uint64)v + SHORT_DOUBLE_HALF;
    dlane_uint32 h = dlane_uint32_of(bits >> 32);
    dlane_uint16 l = dlane_uint16_of(bits >> 16);
    memcpy(high, &h, sizeof h);
    memcpy(low, &l, sizeof l);
}

LANE_INLINE void dlane_indices(int32_t *to, const uint16_t *from)
{
    dlane_uint16 v;
    memcpy(&v, from, sizeof v);
#if LANE_NATIVE_BYTES == 64
    dlane_int32 places = (dlane_int32)_mm256_cvtepu16_epi32((__m128i)v);
#else
    dlane_int32 places = __builtin_convertvector(v, dlane_int32);
#endif
    memcpy(to, &places, sizeof places);
}

LANE_INLINE dlane dlane_load_bytes(const uint8_t *from)
{
    dlane_uint8 v;
    memcpy(&v, from, sizeof v);
    return __builtin_convertvector(__builtin_convertvector(v, dlane_int32), dlane);
}

#endif
