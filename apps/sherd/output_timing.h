// Measures the cost of surfaces and pictures of a frame by making the first frame of a run in a
// temporary folder.
#pragma once

#include "options.h"

#include <sherd/scene.h>

// Wall time of the first frame's surfaces and pictures as the scene requests them [s]; -1 if it
// cannot be measured. The
// bodies' packings are those of `packed`.
double output_timing_seconds(const command_options *options, sherd_scene *scene,
                             const sherd_scene_build *packed);
