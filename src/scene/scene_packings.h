// Packings of a scene's bodies. Analysing and filling a shape takes milliseconds, and scenes have
// thousands of equal bodies, so bodies of the same shape, filled in the same way, share a packing.
#pragma once

#include <sherd/scene.h>

#include <stdbool.h>

// Fills build->packings and build->packed_with, which are allocated and zero. False with an error.
bool sherd_scene_pack_bodies(const sherd_scene *scene, int threads, sherd_scene_build *build,
                             sherd_error *error);

// Frees the arrays of elements and bonds of the build's own packings, which the world has.
void sherd_scene_build_drop_elements(sherd_scene_build *build);

// sherd_scene_create_world with the packings of `packed`, a build of the same scene, which has to
// stay as long as `build`. NULL: none.
sherd_world *sherd_scene_create_world_packed(const sherd_scene *scene, int threads,
                                             const sherd_scene_build *packed,
                                             sherd_scene_build *build, sherd_error *error);
