// Attributes of a piece's mesh, added once its faces are there.
#pragma once

#include "surface/finish/inner_uv.h"
#include "surface/finish/roughness.h"

typedef struct decoration {
    texture_scale texture;
    roughness roughness;
} decoration;

// Texture coordinates first, so that roughness does not stretch them. The mesh has normals and kinds of
// faces. False when memory is short.
static inline bool sherd_decorate(sherd_mesh *mesh, const decoration *d)
{
    return sherd_texture_piece(mesh, &d->texture) && sherd_roughen(mesh, &d->roughness);
}
