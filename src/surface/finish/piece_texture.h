// Texture coordinates of pieces whose faces are not made of the shape's triangles.
#pragma once

#include "surface/finish/inner_uv.h"
#include "surface/finish/shape_uv.h"
#include "surface/surface_maker.h"

// A length of texture by the definition, else the body's largest extent at rest.
texture_scale sherd_piece_texture_scale(const maker_source *source);

// Those without coordinates get them: outer faces those of the shape, if `outer` has any (NULL: not), all
// others a box projection. False when memory is short.
bool sherd_texture_pieces(const piece_array *pieces, const texture_scale *scale,
                          const shape_uv *outer);
