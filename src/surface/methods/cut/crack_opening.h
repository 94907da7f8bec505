// Separates the two sides of cracks inside a fragment by a gap, so that pictures show them.
#pragma once

#include <sherd/mesh.h>

// Moves vertices of `slit` triangles `half_gap` [m] into the solid; vertices on the rim move along
// the outer surface. A part that cracks have cut off so thin that it would lose half of its volume,
// or be inverted, stays unchanged. Returns false when out of memory.
bool sherd_cut_move_apart(sherd_mesh *mesh, const uint8_t *slit, double half_gap);
