// Where an automatic camera looks.
#pragma once

#include <sherd/render.h>
#include <sherd/run_file.h>
#include <sherd/scene.h>

// Bodies where they start and a length of theirs along their way, down to a floor that they fall to, what drivers
// hold of them wherever it is shifted, and what of bounded obstacles is near all that at any time of a prescribed
// motion. `obstacles`: meshes in their own frames, NULL for planes and hidden ones.
sherd_bounds sherd_camera_auto_bounds(const sherd_scene *scene, const sherd_run_model *model,
                                      const sherd_run_frame *first, sherd_mesh *const *obstacles);
