// How thick a shape's walls are and where it is deepest.
#pragma once

#include "packing/shape_analysis.h"
#include "packing/shape_samples.h"

// Sets walls and depth of an analysis; frame and extents are known.
void sherd_wall_thickness(const sherd_shape *shape, const sherd_samples *inside, int threads,
                          sherd_shape_analysis *analysis);
