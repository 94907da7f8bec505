// Texture coordinates of pieces whose triangles are not those of the shape.
#pragma once

#include "geometry/mesh/mesh_tree.h"
#include "surface/finish/piece_attributes.h"
#include "surface/surface_maker.h"

#include <sherd/shape.h>

// Transfers texture coordinates from a shape's own surface to outer faces made of other triangles.
typedef struct shape_uv {
    sherd_mesh *surface; // NULL: the surface has no coordinates
    sherd_mesh_tree tree;
} shape_uv;

// Builds the surface with edges of about `edge` [m]. Returns false when out of memory; call release
// in any case.
bool sherd_shape_uv_create(shape_uv *s, const sherd_shape *shape, double edge);
void sherd_shape_uv_release(shape_uv *s);

// The length [m] that one unit of texture covers: the definition's, or the largest extent of the
// undeformed body.
texture_scale sherd_piece_texture_scale(const maker_source *source);

// Assigns coordinates to pieces without any: outer faces take those of the shape, if `outer` has
// them (NULL: none); all other faces get a box projection. Returns false when out of memory.
bool sherd_texture_pieces(const piece_array *pieces, const texture_scale *scale,
                          const shape_uv *outer);
