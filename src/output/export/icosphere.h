// The unit sphere as a subdivided icosahedron.
#pragma once

#include <stdint.h>

enum { SHERD_ICOSPHERE_VERTICES = 42, SHERD_ICOSPHERE_TRIANGLES = 80 }; // subdivided once

// Triangles are counter-clockwise as viewed from outside. The vertices are also the normals.
void sherd_icosphere(double vertices[SHERD_ICOSPHERE_VERTICES][3],
                     int32_t triangles[SHERD_ICOSPHERE_TRIANGLES][3]);
