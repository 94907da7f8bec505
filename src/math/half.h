// Numbers of 16 bits (IEEE 754 binary16): 11 significant bits, up to 65504.
#pragma once

#include <math.h>
#include <stdint.h>
#include <string.h>

// The nearest one, of two the even one; infinite beyond the largest.
static inline uint16_t sherd_half_from_float(float value)
{
    enum { INFINITE = 0x7c00, QUIET = 0x0200 };
    const uint32_t infinite = 0x7f800000, too_large = 0x477ff000, smallest_normal = 0x38800000;
    uint32_t bits;
    memcpy(&bits, &value, sizeof bits);
    uint32_t sign = bits >> 16 & 0x8000, magnitude = bits & 0x7fffffff;
    if (magnitude > infinite) return (uint16_t)(sign | INFINITE | QUIET);
    if (magnitude >= too_large) return (uint16_t)(sign | INFINITE);
    if (magnitude < smallest_normal) // a multiple of 2^-24
        return (uint16_t)(sign | (uint32_t)lrintf(fabsf(value) * 0x1p24f));
    uint32_t rounded = magnitude - 0x38000000 + 0xfff + (magnitude >> 13 & 1);
    return (uint16_t)(sign | rounded >> 13);
}
