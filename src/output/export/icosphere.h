// The unit sphere as a subdivided icosahedron.
#pragma once

#include <stdint.h>

enum { SHERD_ICOSPHERE_VERTICES = 42, SHERD_ICOSPHERE_TRIANGLES = 80 }; // subdivided once

// Corners counter-clockwise seen from outside. The vertices are the normals too.
void sherd_icosphere(double vertices[SHERD_ICOSPHERE_VERTICES][3],
                     int32_t triangles[SHERD_ICOSPHERE_TRIANGLES][3]);
