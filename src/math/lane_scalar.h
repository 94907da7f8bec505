// A lane of one number. Include math/lane.h, not this.
#pragma once

typedef real lane;
typedef lane_bits lane_mask; // 0 or -1

typedef double wide;  // as many doubles as there are lanes
typedef double dlane; // doubles as wide as a lane
enum { DLANES = 1 };

LANE_INLINE dlane dlane_load(const double *from)
{
    return *from;
}

LANE_INLINE void dlane_store(double *to, dlane v)
{
    *to = v;
}

LANE_INLINE dlane dlane_gather(const double *base, const int32_t *index)
{
    return base[*index];
}

LANE_INLINE double dlane_get(dlane v, int k)
{
    (void)k;
    return v;
}

// a b + c, with one rounding if the machine has fused multiply-adds.
LANE_INLINE dlane dlane_fma(dlane a, dlane b, dlane c)
{
    return LANE_HAS_FMA ? __builtin_fma(a, b, c) : a * b + c;
}

// Rounded to reals and converted back to doubles.
LANE_INLINE dlane dlane_rounded(dlane v)
{
    return (dlane)(real)v;
}

// The number as a double.
LANE_INLINE dlane dlane_of_half(lane v, int half)
{
    (void)half;
    return (dlane)v;
}

LANE_INLINE dlane real_load(const real *from)
{
    return (dlane)*from;
}

LANE_INLINE void real_store(real *to, dlane v)
{
    *to = (real)v;
}

LANE_INLINE wide wide_load(const double *from)
{
    return *from;
}

LANE_INLINE void wide_store(double *to, wide v)
{
    *to = v;
}

LANE_INLINE double wide_get(wide v, int k)
{
    (void)k;
    return v;
}

LANE_INLINE lane lane_of_wide(wide v)
{
    return (lane)v;
}

LANE_INLINE wide wide_of_lane(lane v)
{
    return (wide)v;
}

LANE_INLINE lane lane_set(lane v, int k, real x)
{
    (void)v;
    (void)k;
    return x;
}

LANE_INLINE real lane_get(lane v, int k)
{
    (void)k;
    return v;
}

LANE_INLINE lane lane_load(const real *from)
{
    return *from;
}

LANE_INLINE void lane_store(real *to, lane v)
{
    *to = v;
}

LANE_INLINE lane lane_of_floats(const float *from)
{
    return (lane)*from;
}

// v_k = base[index_k]
LANE_INLINE lane lane_gather(const real *base, const int32_t *index)
{
    return base[*index];
}

LANE_INLINE lane lane_sqrt(lane v)
{
#if defined(SHERD_SINGLE)
    return sqrtf(v);
#else
    return sqrt(v);
#endif
}

// a b + c, with one rounding if the machine has fused multiply-adds.
LANE_INLINE lane lane_fma(lane a, lane b, lane c)
{
    return real_fma(a, b, c);
}

// c - a b, with one rounding if the machine has fused multiply-adds.
LANE_INLINE lane lane_fnma(lane a, lane b, lane c)
{
    return real_fma(-a, b, c);
}

LANE_INLINE lane lane_max(lane a, lane b)
{
    return a > b ? a : b;
}

LANE_INLINE lane lane_min(lane a, lane b)
{
    return a < b ? a : b;
}

LANE_INLINE lane lane_abs(lane v)
{
    return signbit(v) ? -v : v;
}

// The bits of v that are set in `bits`.
LANE_INLINE lane lane_masked_bits(lane v, lane_bits bits)
{
    lane_bits own;
    memcpy(&own, &v, sizeof own);
    own &= bits;
    memcpy(&v, &own, sizeof v);
    return v;
}

// v with its sign changed where s is negative.
LANE_INLINE lane lane_flip_sign(lane v, lane s)
{
    return signbit(s) ? -v : v;
}

LANE_INLINE lane_mask lane_greater(lane a, lane b)
{
    return a > b ? -1 : 0;
}

LANE_INLINE lane_mask lane_not(lane_mask mask)
{
    return ~mask;
}

LANE_INLINE lane lane_select(lane_mask mask, lane yes, lane no)
{
    return mask ? yes : no;
}

// v where the mask is set, otherwise 0.
LANE_INLINE lane lane_keep(lane_mask mask, lane v)
{
    return mask ? v : 0;
}

LANE_INLINE bool lane_any(lane_mask mask)
{
    return mask != 0;
}

LANE_INLINE bool lane_any_greater(lane a, lane b)
{
    return a > b;
}

LANE_INLINE bool lane_mask_get(lane_mask mask, int k)
{
    (void)k;
    return mask != 0;
}

// Bit k is set when lane k is.
LANE_INLINE unsigned lane_mask_bits(lane_mask mask)
{
    return mask != 0;
}

// Bit k is set when number k is negative.
LANE_INLINE unsigned lane_negative_bits(const int32_t *number)
{
    return *number < 0;
}

// Writes first + k for every set bit k.
LANE_INLINE void lane_list_bits(int32_t *to, int32_t first, unsigned bits)
{
    (void)bits;
    *to = first;
}

// The same for numbers from[k].
LANE_INLINE void lane_list_numbers(int32_t *to, const int32_t *from, unsigned bits)
{
    (void)bits;
    *to = *from;
}

// Lane k is set when bit k is.
LANE_INLINE lane_mask lane_mask_of_bits(unsigned bits)
{
    return (bits & 1) ? -1 : 0;
}
