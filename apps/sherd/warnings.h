// What a scene is allowed to ask for, but nobody would.
#pragma once

#include <sherd/scene.h>

// Says on standard error which bodies begin inside others and which shapes their elements hardly
// fill.
void warnings_say(const sherd_scene *scene, const sherd_scene_build *build);
