// What can be seen of a triangle soup from far away.
#pragma once

#include "geometry/bvh.h"
#include "geometry/mesh/mesh_work.h"

#include <sherd/mesh.h>

enum { WRAP_SIGHT_LINES = 32 }; // directions, on one side of a triangle

// How many of the lines that leave the triangle's middle on one of its sides meet no other triangle farther than `near`
// [m]: what lies in the same place hides nothing. `side`: 1 before it, -1 behind it. `tree` is over the mesh's triangles.
int sherd_wrap_free_lines(const sherd_mesh *mesh, const sherd_bvh *tree, int32_t triangle, int side,
                          double near, sherd_mesh_work *work);
