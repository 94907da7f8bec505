// Transfers texture coordinates, colours and groups to another mesh that lies on or near the first.
#pragma once

#include "geometry/mesh/mesh_tree.h"

// A mesh with texture coordinates, and the tree over its triangles.
typedef struct sherd_attribute_source {
    const sherd_mesh *mesh;
    const sherd_mesh_tree *tree;
} sherd_attribute_source;

// Gives the corners of a triangle the coordinates of the nearest points of the source; across a
// seam, extrapolates those of the source triangle nearest to the triangle's centre. Both meshes
// have texture coordinates.
void sherd_mesh_transfer_uv(const sherd_attribute_source *source, sherd_mesh *mesh,
                            int32_t triangle);

// A triangle takes the group nearest to its centre; a point takes the colour of the nearest point.
int32_t sherd_mesh_group_near(const sherd_attribute_source *source, const sherd_mesh *mesh,
                              int32_t triangle);
void sherd_mesh_color_near(const sherd_attribute_source *source, sherd_vec3 p, float color[3]);

// Transfers all attributes of the source: texture coordinates of corners, colours of vertices,
// groups of triangles. Returns false when out of memory.
bool sherd_mesh_transfer_attributes(const sherd_attribute_source *source, sherd_mesh *mesh);
