// Stiffness of bars of calibrated solids relative to the requested one.
// docs/theory/calibration.md
#pragma once

#include <sherd/scene.h>

// Prints it for every calibrated body. `threads`: 0: all.
sherd_status stiffness_print(const sherd_scene *scene, const sherd_scene_build *build, int threads,
                             sherd_error *error);
