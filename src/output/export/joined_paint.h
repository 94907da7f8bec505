// Colours and material groups of pieces in one mesh.
#pragma once

#include <sherd/mesh.h>

// `all` has the vertices and triangles of `count` meshes, one after the other. Vertices without colour are white; groups of
// one name are one. False when memory is short.
bool sherd_join_paint(sherd_mesh *all, const sherd_mesh *const *parts, int count);
