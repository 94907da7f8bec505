// Which pieces of a mesh are solids and which are cavities.
#pragma once

#include "geometry/bvh.h"
#include "geometry/mesh/mesh_orient.h"
#include "geometry/mesh/mesh_work.h"

// Turns whole pieces: the outermost outwards, cavities in them inwards, solids in those outwards, and
// so on. Expects closed pieces; `tree` is over the mesh's triangles. Returns the triangles turned, or -1 when memory is short.
// What it gives means nothing where no `work` is left.
int32_t sherd_mesh_orient_pieces(sherd_mesh *mesh, const sherd_orientation *orientation,
                                 const sherd_bvh *tree, sherd_mesh_work *work);
