// Texture coordinates of a shape's own surface, for outer faces that are not made of its triangles.
#pragma once

#include "geometry/mesh/mesh_tree.h"

#include <sherd/shape.h>

typedef struct shape_uv {
    sherd_mesh *surface; // NULL where it has no coordinates
    sherd_mesh_tree tree;
} shape_uv;

// With edges of about `edge` [m]. False when memory is short; release in any case.
bool sherd_shape_uv_create(shape_uv *s, const sherd_shape *shape, double edge);
void sherd_shape_uv_release(shape_uv *s);

// Corners of outer faces get the coordinates of the nearest points of the surface; across a seam,
// those that its triangle nearest to the face's middle would have there. mesh->uv is there already.
void sherd_shape_uv_fill(const shape_uv *s, sherd_mesh *mesh);
