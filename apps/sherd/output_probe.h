// Measured cost of surfaces and pictures of a frame: the first frame of a run is made in a folder of its
// own, which is removed.
#pragma once

#include "options.h"

#include <sherd/scene.h>

// Wall time of the first frame's surfaces and pictures, as the scene's output asks for them [s]; -1 where
// it can't be found out. Bodies are packed again.
double output_probe_seconds(const command_options *options, sherd_scene *scene);
