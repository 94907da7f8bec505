// Transfers texture coordinates from a shape's own surface to outer faces made of other triangles.
#pragma once

#include "geometry/mesh/mesh_tree.h"

#include <sherd/shape.h>

typedef struct shape_uv {
    sherd_mesh *surface; // NULL: the surface has no coordinates
    sherd_mesh_tree tree;
} shape_uv;

// Builds the surface with edges of about `edge` [m]. Returns false when out of memory; call release
// in any case.
bool sherd_shape_uv_create(shape_uv *s, const sherd_shape *shape, double edge);
void sherd_shape_uv_release(shape_uv *s);

// Gives the corners of outer faces the coordinates of the nearest points of the surface. Across a
// texture seam, extrapolates those of the source triangle nearest to the face's centre. mesh->uv
// must be allocated.
void sherd_shape_uv_fill(const shape_uv *s, sherd_mesh *mesh);
