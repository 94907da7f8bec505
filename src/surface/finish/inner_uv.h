// Texture coordinates of a piece's fracture faces by box projection.
#pragma once

#include <sherd/mesh.h>

typedef struct texture_scale {
    double unit; // length that one unit of texture coordinates covers [m], > 0
    // True: the coordinates of outer faces come from a file and stay; false: they are metres.
    bool outer_is_file;
} texture_scale;

// Gives inner faces a box projection in the undeformed frame: each triangle is projected along the
// dominant axis of its normal. Both sides of a crack get the same coordinates, so a pattern
// continues across the crack and over all pieces. Outer faces without coordinates get the same
// projection. Returns false when out of memory.
bool sherd_texture_piece(sherd_mesh *mesh, const texture_scale *scale);
