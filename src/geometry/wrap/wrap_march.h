// Extracts the closed surface of a wrap_grid.
#pragma once

#include "geometry/wrap/wrap_grid.h"

// Marching tetrahedra in the cells that the surface crosses: the result is a closed 2-manifold
// without self-intersections, whatever the field. Vertices then move to where grid edges leave the
// solid, unless triangles would intersect or fold over. Without triangles if nothing is inside.
// NULL with SHERD_ERROR_MEMORY.
sherd_mesh *sherd_wrap_march(const wrap_grid *grid, sherd_error *error);
