// Creates animation files: binary glTF 2.0 (.glb) for Blender, web viewers and game engines, and USD
// (.usda, .usdc). glTF has y up: the root node rotates Sherd's z-up world. USD is z up, with 24
// time codes per second.
#pragma once

#include "animation/animation.h"

#include <stdint.h>

sherd_animation *sherd_animation_file_create(const sherd_animation_def *def, sherd_error *error);
// Adds the unit sphere as a mesh, for spherical pieces. Returns its index, or -1 with *error
// filled.
int sherd_animation_add_unit_sphere(sherd_animation *animation, int material, sherd_error *error);

// The unit sphere as a subdivided icosahedron.

enum { SHERD_ICOSPHERE_VERTICES = 42, SHERD_ICOSPHERE_TRIANGLES = 80 }; // subdivided once

// Triangles are counter-clockwise as viewed from outside. The vertices are also the normals.
void sherd_icosphere(double vertices[SHERD_ICOSPHERE_VERTICES][3],
                     int32_t triangles[SHERD_ICOSPHERE_TRIANGLES][3]);
