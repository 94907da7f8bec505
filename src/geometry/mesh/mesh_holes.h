// Closes small holes.
#pragma once

#include "geometry/mesh/mesh_orient.h"

// Statistics of a mesh's holes.
typedef struct sherd_holes {
    int32_t filled;
    double widest_filled; // diagonal of its bounds [m], 0: none
    // Of those left, or of as much of their borders as can be followed [m], 0: none.
    double widest_open;
    int32_t open_example; // a vertex of the widest remaining one, -1: none
} sherd_holes;

// Closes every hole that is small in its component, by a fan about its centre; mesh_holes.c defines
// small. Holes that share a vertex are left open. `edges` must describe the triangles in their
// current orientation, `pieces` their connected components. Returns false when out of memory.
bool sherd_mesh_fill_holes(sherd_mesh *mesh, const sherd_mesh_edges *edges,
                           const sherd_orientation *pieces, sherd_holes *holes);
