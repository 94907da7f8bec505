// Bounds of what rounding errors amount to. Balances of less energy are not judged.
#pragma once

#include "math/vec3.h"

#include <float.h>

// Of many steps together, relative to what is rounded.
static inline double sherd_rounding_of_steps(void)
{
    const double many_steps = 1e4;
    return many_steps * DBL_EPSILON;
}

// Strain over `length` [m] at a place. Rounding strains a body at rest near the origin by about 1e-14, and moves one
// far from it by a last digit of its positions: 300 m away by 6e-14 m, which is a strain of 6e-11 over 1 mm.
static inline double sherd_noise_strain(sherd_vec3 place, double length)
{
    const double least = 1e-10;
    return fmax(least, sherd_rounding_of_steps() * vec3_length(place) / length);
}
