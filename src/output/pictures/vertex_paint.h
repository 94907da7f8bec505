// Colours of an artist's mesh, of vertices, in pictures.
#pragma once

#include <sherd/mesh.h>

// Linear ones of mesh->color, which are taken for screen colours (sRGB) in 256 steps; free() them. NULL: memory is short.
float *sherd_vertex_paint(const sherd_mesh *mesh);
