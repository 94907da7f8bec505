// Removes cracks that are too small to draw.
//
// Where a few adjacent bonds broke inside a fragment, the crack surface has a patch of one or two
// radii. It would show as a speck on the outer surface, or as a notch beside the faces of a larger
// crack.
#pragma once

#include <sherd/mesh.h>

// Marks crack triangles (`slit`) in `excluded`, both sides of them, if their component (connected
// by vertices) fits a box whose diagonal is shorter than `min_length` [m]. Returns false when out of
// memory.
bool sherd_small_cracks_mark(const sherd_mesh *mesh, const uint8_t *slit, double min_length,
                             uint8_t *excluded);
