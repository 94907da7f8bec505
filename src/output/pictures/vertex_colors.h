// Vertex colours of meshes in pictures.
#pragma once

#include <sherd/mesh.h>

// Converts mesh->color from sRGB (256 steps) to linear; free() the result. NULL if memory is short.
float *sherd_vertex_colors(const sherd_mesh *mesh);
