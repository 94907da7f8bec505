// Visibility of a triangle soup from far away.
#pragma once

#include "geometry/bvh.h"
#include "geometry/mesh/mesh_work.h"

#include <sherd/mesh.h>

enum { WRAP_VISIBILITY_LINES = 32 }; // directions, on one side of a triangle

// Returns how many of the lines from the triangle's centroid on one of its sides hit no other
// triangle farther than `near` [m]: coincident triangles hide nothing. `side`: 1 in front, -1
// behind. `tree` is over the mesh's triangles.
int sherd_wrap_free_lines(const sherd_mesh *mesh, const sherd_bvh *tree, int32_t triangle, int side,
                          double near, sherd_mesh_work *work);
