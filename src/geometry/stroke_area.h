// Area that strokes of a round pen cover.
#pragma once

#include "geometry/font.h"

// Within about 1e-4 of it [m^2]; strokes may overlap. NaN when memory is short.
double sherd_stroke_area(const sherd_strokes *strokes, double half_pen);
