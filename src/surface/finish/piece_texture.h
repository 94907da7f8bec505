// Texture coordinates of pieces whose triangles are not those of the shape.
#pragma once

#include "surface/finish/inner_uv.h"
#include "surface/finish/shape_uv.h"
#include "surface/surface_maker.h"

// The length [m] that one unit of texture covers: the definition's, or the largest extent of the
// undeformed body.
texture_scale sherd_piece_texture_scale(const maker_source *source);

// Assigns coordinates to pieces without any: outer faces take those of the shape, if `outer` has
// them (NULL: none); all other faces get a box projection. Returns false when out of memory.
bool sherd_texture_pieces(const piece_array *pieces, const texture_scale *scale,
                          const shape_uv *outer);
