// Screen values (sRGB) and linear light, 0..1.                                   IEC 61966-2-1
#pragma once

#include <math.h>

static inline double srgb_to_linear(double s)
{
    return s <= 0.04045 ? s / 12.92 : pow((s + 0.055) / 1.055, 2.4);
}

static inline double linear_to_srgb(double x)
{
    return x <= 0.0031308 ? 12.92 * x : 1.055 * pow(x, 1.0 / 2.4) - 0.055;
}
