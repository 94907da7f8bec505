// What is painted on a mesh, taken over by another one that lies on or near it.
#pragma once

#include "geometry/mesh/mesh_tree.h"

// A mesh with texture coordinates, and the tree over its triangles.
typedef struct sherd_attribute_source {
    const sherd_mesh *mesh;
    const sherd_mesh_tree *tree;
} sherd_attribute_source;

// Corners of a triangle get the coordinates of the nearest points of the source; across a seam, those that its triangle
// nearest to the triangle's middle would have there. Both meshes have texture coordinates.
void sherd_mesh_take_uv(const sherd_attribute_source *source, sherd_mesh *mesh, int32_t triangle);

// A triangle is in the group of what is nearest to its middle; a place has the colour of the nearest one.
int32_t sherd_mesh_group_near(const sherd_attribute_source *source, const sherd_mesh *mesh,
                              int32_t triangle);
void sherd_mesh_color_near(const sherd_attribute_source *source, sherd_vec3 p, float color[3]);

// All that the source has: texture coordinates of corners, colours of vertices, groups of triangles. False when memory is short.
bool sherd_mesh_take_attributes(const sherd_attribute_source *source, sherd_mesh *mesh);
