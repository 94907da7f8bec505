// Wall thickness of a shape, and its deepest point.
#pragma once

#include "packing/shape_analysis.h"
#include "packing/shape_samples.h"

// Sets walls and depth of an analysis; frame and extents must be known.
void sherd_wall_thickness(const sherd_shape *shape, const sherd_samples *inside, int threads,
                          sherd_shape_analysis *analysis);
