// Whether two triangles of one mesh cut each other.
#pragma once

#include <sherd/mesh.h>

// True when an edge of one passes through the other, or both lie in one plane and share an area; `at`
// gets a point where they do. Triangles that touch only at corners and edges don't, nor do ones that
// cut no deeper than rounding.
bool sherd_triangles_overlap(const sherd_mesh *mesh, int32_t t, int32_t u, sherd_vec3 *at);
