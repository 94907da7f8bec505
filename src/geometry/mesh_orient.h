// Making the triangles of a mesh agree on what is outside.
#pragma once

#include "geometry/mesh_edges.h"

typedef struct sherd_orientation {
    int32_t flipped;    // triangles turned round
    int32_t components; // pieces connected over edges
    int32_t *component; // of each triangle; owned (m)
    bool one_sided;     // a piece like a Moebius strip has no outside
} sherd_orientation;

// Turns triangles until neighbours agree, starting from the first of each piece. False when memory
// is short.
bool sherd_mesh_orient(sherd_mesh *mesh, const sherd_mesh_edges *edges, sherd_orientation *out);

// Turns whole pieces: the outermost outwards, cavities inwards, and so on. Returns the triangles
// turned, or -1 when memory is short.
int32_t sherd_mesh_orient_pieces(sherd_mesh *mesh, const sherd_orientation *orientation);
