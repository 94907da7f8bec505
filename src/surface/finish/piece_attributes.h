// Texture coordinates of fracture faces by box projection, and roughness: what a piece's mesh gets
// after its triangles were made.
#pragma once

#include "surface/finish/roughness.h"

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

typedef struct decoration {
    texture_scale texture;
    roughness roughness;
} decoration;

// Computes texture coordinates before it displaces vertices, so that roughness does not stretch
// them. The mesh must have normals and face kinds. Returns false when out of memory.
static inline bool sherd_piece_attributes_add(sherd_mesh *mesh, const decoration *d)
{
    return sherd_texture_piece(mesh, &d->texture) && sherd_roughen(mesh, &d->roughness);
}
