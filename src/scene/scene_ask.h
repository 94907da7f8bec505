// What messages about a scene ask it.
#pragma once

#include <sherd/scene.h>

// The place of a key of `solver:`, borrowed; NULL where the scene does not give it.
const char *sherd_scene_solver_where(const sherd_scene *scene, const char *key);

// How thick a body is, and how wide in the next direction [m]: its least extents, or, where it has walls (no element
// is half as deep in it as its least extent), twice the depth of the deepest element and INFINITY. INFINITY both without a
// shape.
void sherd_scene_section(const sherd_scene *scene, int body, const sherd_packing *packing,
                         double *thickness, double *width);

// The material for the world: the scene's, or the calibrated one. Borrowed from either.
const sherd_material_def *sherd_scene_bonds_of(const sherd_scene *scene,
                                               const sherd_scene_build *build, int material);
