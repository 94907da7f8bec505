// Smooths the line of a tear. Cells separate along their edges, which zigzag with the packing of
// elements. Corners along a tear are moved to the middle between their neighbours along it, so that
// it is straight where only the packing bends it. One side gains the area that the other one loses;
// ends of tears, branches and rims do not move.
#pragma once

#include "surface/methods/sheet/sheet.h"

// `corner` (s->half_count) receives s->corner with corners along tears moved, equal for all
// half-bonds of a face. `is_open` by half-bond: the cells on its two sides share no corner there.
// Returns false when out of memory.
bool sherd_tear_line_smooth(const sheet *s, const uint8_t *is_open, sheet_corner *corner);
