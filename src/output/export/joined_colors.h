// Joins the vertex colours and material groups of several meshes.
#pragma once

#include <sherd/mesh.h>

// `all` has the vertices and triangles of `count` meshes, one after the other. Vertices without
// colour become white; groups with equal names are merged. False if memory is short.
bool sherd_join_colors(sherd_mesh *all, const sherd_mesh *const *parts, int count);
