// Orients the components of a triangle soup.
#pragma once

#include "geometry/mesh/mesh_work.h"

#include <sherd/mesh.h>

typedef struct wrap_orientation {
    int32_t turned; // reversed triangles
    // Triangles of walls inside, which count for half a solid on one side and against it on the
    // other; and of walls that are there twice.
    int32_t dropped;
} wrap_orientation;

// Reverses triangles until neighbours agree, then whole components by their visibility from far
// away along straight lines in many directions: the outside of an open component is the side with
// more free lines (after Takayama et al. 2014, "A simple method for correcting facet orientations
// in polygon meshes based on ray casting"); visible closed components are oriented outwards.
// Invisible ones stay: a closed component that faces inwards is a cavity; but the parts of open
// flat components that are hidden on both sides are dropped. Of coincident open components with the
// same orientation one counts (wrap_duplicates.h). Returns false when out of memory. The result is
// invalid if no `work` is left.
bool sherd_wrap_orient(sherd_mesh *mesh, sherd_mesh_work *work, wrap_orientation *result);
