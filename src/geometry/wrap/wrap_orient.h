// Which way the pieces of a triangle soup face.
#pragma once

#include "geometry/mesh/mesh_work.h"

#include <sherd/mesh.h>

typedef struct wrap_orientation {
    int32_t turned; // triangles
    int32_t
        dropped; // triangles of walls inside, which count for half a solid on one side and against it on the other; and
                 // of walls that are there twice
} wrap_orientation;

// Turns triangles until neighbours agree, then whole pieces by what can be seen of them from far away, along straight
// lines in many directions: the outside of an open piece is the side from which more of them are free (after Takayama
// et al. 2014, "A simple method for correcting facet orientations in polygon meshes based on ray casting"); closed
// pieces that can be seen are turned outwards. What can't be seen stays as it is: a closed piece that faces inwards is
// a cavity; but open flat pieces are dropped as far as they are hidden on both sides. Of open pieces in one place that
// face the same way one counts (wrap_doubles.h). False when memory is short. What it does means nothing where no `work` is
// left.
bool sherd_wrap_orient(sherd_mesh *mesh, sherd_mesh_work *work, wrap_orientation *result);
