// The closed surface in a wrap_grid.
#pragma once

#include "geometry/wrap/wrap_grid.h"

// Marching tetrahedra in the cells that the surface passes: closed, a 2-manifold, and never through itself, whatever the
// field. Vertices then go to where edges of the grid leave the solid, unless triangles would cut or fold onto each other.
// Without triangles where nothing is inside. NULL with SHERD_ERROR_MEMORY.
sherd_mesh *sherd_wrap_march(const wrap_grid *grid, sherd_error *error);
