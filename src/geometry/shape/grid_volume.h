// Numerical volume of a shape that is defined only by its distance.
#pragma once

#include <sherd/shape.h>

// Returns the volume [m^3], refined until halving the cells changes it by less than 0.05 %, or to
// 1/1024 of the bounds. Bitwise equal for every number of threads.
double sherd_grid_volume(const sherd_shape *shape);
