// Consistent orientation of a mesh's triangles.
#pragma once

#include "geometry/mesh/mesh_edges.h"

typedef struct sherd_orientation {
    int32_t flipped;    // reversed triangles
    int32_t components; // components connected by edges
    int32_t *component; // of each triangle; owned (m)
    bool one_sided;     // some component, such as a Moebius strip, is not orientable
} sherd_orientation;

// Reverses triangles until neighbours agree: in each component the minority. Returns false when out
// of memory.
bool sherd_mesh_orient(sherd_mesh *mesh, const sherd_mesh_edges *edges, sherd_orientation *out);
