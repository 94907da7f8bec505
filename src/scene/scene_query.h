// Queries on a scene for messages.
#pragma once

#include <sherd/scene.h>

// Returns the location of a key of `solver:`, borrowed; NULL if the scene does not have the key.
const char *sherd_scene_solver_where(const sherd_scene *scene, const char *key);

// Enough for "FILE:LINE:COLUMN  bodies.plate.velocity".
enum { SHERD_SCENE_PLACE = 512 };
// Writes the place of a path in the scene file, "materials.glass.poissons_ratio", or that of the map which would hold it.
// Returns `place`.
const char *sherd_scene_place(const sherd_scene *scene, const char *path,
                              char place[SHERD_SCENE_PLACE]);

// Whether the scene file gives the value of a path, "materials.glass.breakage".
bool sherd_scene_gives(const sherd_scene *scene, const char *path);

// Places an error of a body's packing at its key in the scene file.
void sherd_scene_locate_packing(const sherd_scene *scene, int body, sherd_error *error);

// Computes the thickness of a body and its width in the next direction [m]: its smallest extents,
// or, for a body with walls (no element is half as deep in it as its smallest extent), twice the
// depth of the deepest element and INFINITY. Both are INFINITY without a shape.
void sherd_scene_section(const sherd_scene *scene, int body, const sherd_packing *packing,
                         double *thickness, double *width);

// Returns the material used by the world: the scene's, or the calibrated one. Borrowed from either.
const sherd_material_def *sherd_scene_bonds_of(const sherd_scene *scene,
                                               const sherd_scene_build *build, int material);
