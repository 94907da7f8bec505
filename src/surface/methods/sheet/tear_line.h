// Where a tear runs. Cells part along their edges, which zigzag as the elements are packed: corners along a tear are
// drawn to the middle between their neighbours along it, so that it runs straight where the packing is all that bends
// it. What one side loses the other one gains; ends of tears, places where tears meet, and rims stay.
#pragma once

#include "surface/methods/sheet/sheet.h"

// `corner` (s->half_count) gets s->corner with corners along tears moved, the same for all half-bonds of a face.
// `is_open` by half-bond: the cells to its two sides have no corner in common there. False when memory is short.
bool sherd_tear_line_smooth(const sheet *s, const uint8_t *is_open, sheet_corner *corner);
