// Creates animation files: binary glTF 2.0 (.glb) for Blender, web viewers and game engines, and
// text USD (.usda). glTF has y up: the root node rotates Sherd's z-up world. USD is z up, with 24
// time codes per second.
#pragma once

#include "animation/animation.h"

sherd_animation *sherd_animation_file_create(const sherd_animation_def *def, sherd_error *error);
// Adds the unit sphere as a mesh, for spherical pieces. Returns its index, or -1 with *error
// filled.
int sherd_animation_add_unit_sphere(sherd_animation *animation, int material, sherd_error *error);
