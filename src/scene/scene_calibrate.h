// Calibration of a scene's materials, between packing and building.
#pragma once

#include <sherd/scene.h>

// Computes build->calibrations from build->packings. Loose bodies have no bonds and no calibration.
bool sherd_scene_calibrate(const sherd_scene *scene, int threads, sherd_scene_build *build,
                           sherd_error *error);
