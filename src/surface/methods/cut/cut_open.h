// Moving the two sides of cracks inside a fragment apart, so that they can be seen.
#pragma once

#include <sherd/mesh.h>

// Vertices of `slit` triangles go `half_gap` [m] into the solid, and at the rim along the outer surface. What
// cracks have cut off so thin that it would lose half of its volume by that, or turn inside out, stays as it
// is. False when memory is short.
bool sherd_cut_move_apart(sherd_mesh *mesh, const uint8_t *slit, double half_gap);
