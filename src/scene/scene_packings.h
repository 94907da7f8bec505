// Packings of a scene's bodies. Analysing and filling a shape takes milliseconds, and scenes have
// thousands of equal bodies, so bodies of the same shape, filled in the same way, share a packing.
#pragma once

#include <sherd/scene.h>

#include <stdbool.h>

// Fills build->packings and build->packed_with, which are allocated and zero. False with an error.
bool sherd_scene_pack_bodies(const sherd_scene *scene, int threads, sherd_scene_build *build,
                             sherd_error *error);
