// Consistent orientation of a mesh's triangles.
#pragma once

#include "geometry/mesh/mesh_edges.h"

typedef struct sherd_orientation {
    int32_t flipped;    // triangles turned round
    int32_t components; // pieces connected over edges
    int32_t *component; // of each triangle; owned (m)
    bool one_sided;     // a piece like a Moebius strip has no outside
} sherd_orientation;

// Turns triangles until neighbours agree: in each piece the minority. False when memory is short.
bool sherd_mesh_orient(sherd_mesh *mesh, const sherd_mesh_edges *edges, sherd_orientation *out);
