// Tests whether two triangles of one mesh intersect.
#pragma once

#include <sherd/mesh.h>

// Returns true if an edge of one passes through the other, or if they are coplanar and share an
// area; `at` receives a common point. Triangles that only touch at corners and edges do not count,
// nor do intersections no deeper than rounding.
bool sherd_triangles_overlap(const sherd_mesh *mesh, int32_t t, int32_t u, sherd_vec3 *at);
