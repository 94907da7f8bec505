// Adds texture coordinates and roughness to a piece's mesh after its triangles were made.
#pragma once

#include "surface/finish/inner_uv.h"
#include "surface/finish/roughness.h"

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
