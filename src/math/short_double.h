// A double rounded to its upper 48 bits: 37 binary digits, relative error at most 2^-37 = 7e-12.
#pragma once

#include <stdint.h>
#include <string.h>

typedef struct short_double {
    uint32_t high; // sign, exponent, the first digits
    uint16_t low;
} short_double;

static const uint64_t SHORT_DOUBLE_HALF = UINT64_C(1) << 15; // of the last digit that stays

static inline short_double short_double_of(double value)
{
    uint64_t bits;
    memcpy(&bits, &value, sizeof bits);
    bits += SHORT_DOUBLE_HALF;
    return (short_double){(uint32_t)(bits >> 32), (uint16_t)(bits >> 16)};
}

static inline double short_double_value(uint32_t high, uint16_t low)
{
    uint64_t bits = (uint64_t)high << 32 | (uint64_t)low << 16;
    double value;
    memcpy(&value, &bits, sizeof value);
    return value;
}
