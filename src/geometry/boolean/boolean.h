// Union and difference of closed triangle meshes, exact: what walls there are stay whole, however thin, and edges
// are straight lines.
#pragma once

#include <sherd/mesh.h>

typedef enum sherd_boolean_kind {
    SHERD_BOOLEAN_UNION,
    SHERD_BOOLEAN_DIFFERENCE
} sherd_boolean_kind;

// Positions and triangles only. What cuts what is told on a lattice of 2^39 steps across both (geometry/exact/exact.h).
// The meshes are in general position: no vertex on the other's faces, no edges that meet. NULL with
// SHERD_ERROR_MEMORY, and with SHERD_OK where they are not, where one cuts itself or is open, so that there is no answer.
// Positions are rounded: triangles thinner than a step may pass through others. A difference that leaves nothing is a
// mesh without triangles.
sherd_mesh *sherd_mesh_boolean(const sherd_mesh *a, const sherd_mesh *b, sherd_boolean_kind kind,
                               sherd_error *error);
