// Stiffness of bars of calibrated solids over the requested one.               docs/theory/calibration.md
#pragma once

#include <sherd/scene.h>

// Prints it for every body that is calibrated. `threads`: 0 = all.
sherd_status stiffness_say(const sherd_scene *scene, const sherd_scene_build *build, int threads,
                           sherd_error *error);
