// Turning a shell's grid triangles into a smooth, well-shaped mesh.
#pragma once

#include "surface/methods/march/place.h"

// Places all vertices and evens out the triangles. Vertices slide within the surface, line or point
// they belong to and average only with neighbours of the same, so that the two sides of a crack move
// alike. `crease` (vertex_count, may be NULL) receives which vertices lie on a sharp edge of the
// shape. False when memory is short.
bool sherd_shell_fair(shell *s, const placing *p, uint8_t *crease, const sherd_parallel *parallel);
