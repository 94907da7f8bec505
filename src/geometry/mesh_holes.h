// Closing small holes.
#pragma once

#include "geometry/mesh_edges.h"

// Closes every hole with at most `most_edges` edges by a fan about its middle. Holes that meet at a
// vertex are left open. Returns the holes closed, or -1 when memory is short.
int32_t sherd_mesh_fill_holes(sherd_mesh *mesh, const sherd_mesh_edges *edges, int most_edges);
