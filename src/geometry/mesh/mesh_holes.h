// Closing small holes.
#pragma once

#include "geometry/mesh/mesh_orient.h"

// What became of a mesh's holes.
typedef struct sherd_holes {
    int32_t filled;
    double widest_filled; // diagonal of its bounds [m], 0: none
    double
        widest_open; // of those left, or of as much of their borders as can be followed [m], 0: none
    int32_t open_example; // a vertex of the widest one left, -1: none
} sherd_holes;

// Closes every hole that is small in its piece, by a fan about its middle; mesh_holes.c says what is
// small. Holes that meet at a vertex are left open. `edges` are those of the triangles as they are
// turned now, `pieces` the pieces they make. False when memory is short.
bool sherd_mesh_fill_holes(sherd_mesh *mesh, const sherd_mesh_edges *edges,
                           const sherd_orientation *pieces, sherd_holes *holes);
