// One type for scalar and vector arithmetic: physics is written once, on `lane`, and compiled for
// one number at a time (the reference) or for as many as fit in a register (GCC and Clang vector
// extensions). Define SHERD_LANES before including; SHERD_SINGLE selects float instead of double.
//
// With -ffp-contract=off every width gives bitwise the same results, provided that all of them have
// fused multiply-adds or none has (lane_fma).
#pragma once

#include <math.h>
#include <stdbool.h>
#include <stdint.h>
#include <string.h>

#if defined(__SSE2__)
#include <immintrin.h>
#endif

#ifndef SHERD_LANES
#error "define SHERD_LANES as a power of 2 before including math/lane.h"
#endif

// Names of functions in files that are compiled several times: SHERD_KERNEL(f) is f_avx2 and so on.
#if defined(SHERD_KERNEL_VARIANT)
#define SHERD_KERNEL_JOIN2(name, variant) name##_##variant
#define SHERD_KERNEL_JOIN(name, variant) SHERD_KERNEL_JOIN2(name, variant)
#define SHERD_KERNEL(name) SHERD_KERNEL_JOIN(name, SHERD_KERNEL_VARIANT)
#endif

// Functions on lanes must be inlined into the loops that call them: a call would pass vectors in
// memory.
#define LANE_INLINE static inline __attribute__((always_inline))

#if defined(SHERD_SINGLE)
typedef float real;
typedef int32_t lane_bits; // as wide as a real
#else
typedef double real;
typedef int64_t lane_bits;
#endif

#if defined(__FMA__) || defined(__AVX512F__) || defined(__ARM_FEATURE_FMA)
#define LANE_HAS_FMA 1
#else
#define LANE_HAS_FMA 0
#endif

// A double would make a single lane's product double.
static const real LANE_HALF = (real)0.5, LANE_QUARTER = (real)0.25;

LANE_INLINE real real_fma(real a, real b, real c)
{
#if !LANE_HAS_FMA
    return a * b + c;
#elif defined(SHERD_SINGLE)
    return __builtin_fmaf(a, b, c);
#else
    return __builtin_fma(a, b, c);
#endif
}

// Single precision only: denormal results become 0, as they would slow the processor down by a
// factor of a hundred. Returns the argument for lane_restore_mode.
LANE_INLINE unsigned lane_flush_tiny(void)
{
#if defined(SHERD_SINGLE) && defined(__SSE2__)
    unsigned mode = _mm_getcsr();
    _mm_setcsr(mode | 0x8040u); // flush results, take inputs as 0
    return mode;
#else
    return 0;
#endif
}

LANE_INLINE void lane_restore_mode(unsigned mode)
{
#if defined(SHERD_SINGLE) && defined(__SSE2__)
    _mm_setcsr(mode);
#else
    (void)mode;
#endif
}

// Number of vector registers of the machine.
#if defined(__AVX512F__) || defined(__ARM_NEON)
#define LANE_REGISTERS 32
#else
#define LANE_REGISTERS 16
#endif

#if SHERD_LANES == 1
#include "math/lane_scalar.h"
#else
#include "math/lane_vector.h"
#endif

LANE_INLINE lane lane_of(real x)
{
    return x - (lane){0}; // not +: x - 0 is x for every x, and compiles to nothing
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
    return (lane3){lane_fma(s, b.x, a.x), lane_fma(s, b.y, a.y), lane_fma(s, b.z, a.z)};
}

// a - s b
LANE_INLINE lane3 lane3_sub_scaled(lane3 a, lane s, lane3 b)
{
    return (lane3){lane_fnma(s, b.x, a.x), lane_fnma(s, b.y, a.y), lane_fnma(s, b.z, a.z)};
}

LANE_INLINE lane lane3_dot(lane3 a, lane3 b)
{
    return lane_fma(a.z, b.z, lane_fma(a.y, b.y, a.x * b.x));
}

LANE_INLINE lane3 lane3_cross(lane3 a, lane3 b)
{
    return (lane3){lane_fnma(a.z, b.y, a.y * b.z), lane_fnma(a.x, b.z, a.z * b.x),
                   lane_fnma(a.y, b.x, a.x * b.y)};
}

// a - b x c
LANE_INLINE lane3 lane3_sub_cross(lane3 a, lane3 b, lane3 c)
{
    return (lane3){lane_fnma(b.y, c.z, lane_fma(b.z, c.y, a.x)),
                   lane_fnma(b.z, c.x, lane_fma(b.x, c.z, a.y)),
                   lane_fnma(b.x, c.y, lane_fma(b.y, c.x, a.z))};
}

// s a - b
LANE_INLINE lane3 lane3_scaled_sub(lane s, lane3 a, lane3 b)
{
    return (lane3){lane_fma(s, a.x, -b.x), lane_fma(s, a.y, -b.y), lane_fma(s, a.z, -b.z)};
}

LANE_INLINE lane lane4_dot(lane4 a, lane4 b)
{
    return lane_fma(a.w, b.w, lane_fma(a.z, b.z, lane_fma(a.y, b.y, a.x * b.x)));
}
