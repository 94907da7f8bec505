// Exact union and difference of closed triangle meshes: walls stay complete however thin, and edges
// are straight lines.
#pragma once

#include <sherd/mesh.h>

typedef enum sherd_boolean_kind {
    SHERD_BOOLEAN_UNION,
    SHERD_BOOLEAN_DIFFERENCE
} sherd_boolean_kind;

// Uses positions and triangles only. Decides intersections on a lattice of 2^39 steps across both
// meshes (geometry/exact/exact.h). The meshes must be in general position: no vertex on a face of
// the other mesh, no edges that intersect. Returns NULL with SHERD_ERROR_MEMORY, and NULL with
// SHERD_OK if they are not in general position, if one intersects itself or is open. Positions are
// rounded: triangles thinner than a step may intersect others. An empty difference is a mesh
// without triangles.
sherd_mesh *sherd_mesh_boolean(const sherd_mesh *a, const sherd_mesh *b, sherd_boolean_kind kind,
                               sherd_error *error);
