// Upper bounds of the effects of rounding errors. Checks of energy balance ignore energies below
// them.
#pragma once

#include "math/vec3.h"

#include <float.h>

// Accumulated rounding error of many steps, relative to the rounded quantity.
static inline double sherd_rounding_of_steps(void)
{
    const double many_steps = 1e4;
    return many_steps * DBL_EPSILON;
}

// Spurious strain over `length` [m] at a position, due to rounding. A body at rest near the origin
// gets about 1e-14. Far from the origin the last digit of positions is coarser: 300 m away it is
// 6e-14 m, which is a strain of 6e-11 over 1 mm.
static inline double sherd_noise_strain(sherd_vec3 place, double length)
{
    const double least = 1e-10;
    return fmax(least, sherd_rounding_of_steps() * vec3_length(place) / length);
}
