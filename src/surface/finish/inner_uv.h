// Texture coordinates of a piece.
#pragma once

#include <sherd/mesh.h>

typedef struct texture_scale {
    double unit; // length that one unit of texture coordinates covers [m], > 0
    bool
        outer_is_file; // outer faces' coordinates come from a file and stay; otherwise they are metres
} texture_scale;

// Inner faces get a box projection of the rest frame: seen along the axis that a triangle faces most,
// the same from both sides of a crack, so that a pattern runs on across it and over all pieces. Outer
// faces without coordinates get the same. False when memory is short.
bool sherd_texture_piece(sherd_mesh *mesh, const texture_scale *scale);
