// What is worth telling of a scene that is valid.
#pragma once

#include <sherd/scene.h>

// What its reader found: a line each on standard output, as what was mended in a mesh.
void notes_say(const sherd_scene *scene);

// What became of the bodies' shapes when they were filled: likewise.
void packings_say(const sherd_scene *scene, const sherd_scene_build *build);

// Says on standard error which bodies begin inside others and which shapes their elements hardly
// fill.
void warnings_say(const sherd_scene *scene, const sherd_scene_build *build);
