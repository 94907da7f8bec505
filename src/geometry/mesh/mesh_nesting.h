// Orientation of nested components: which are solids and which are cavities.
#pragma once

#include "geometry/bvh.h"
#include "geometry/mesh/mesh_orient.h"
#include "geometry/mesh/mesh_work.h"

// Reverses whole components: the outermost face outwards, cavities in them inwards, solids in those
// outwards, and so on. Components must be closed; `tree` is over the mesh's triangles. Returns the
// number of reversed triangles, or -1 when out of memory. The result is invalid if no `work` is
// left.
int32_t sherd_mesh_orient_pieces(sherd_mesh *mesh, const sherd_orientation *orientation,
                                 const sherd_bvh *tree, sherd_mesh_work *work);
