// Converts a scene's sky and lamps for the path tracer.
#pragma once

#include <sherd/render.h>
#include <sherd/scene.h>

// Owned environment; *out is NULL without an error for the studio and for no sky.
sherd_status sherd_picture_environment(const sherd_scene_sky *sky, sherd_environment **out,
                                       sherd_error *error);

// Fills `lamps`, which `out` borrows; without a sky the studio's light is off.
void sherd_picture_light(const sherd_scene_render *render,
                         sherd_render_lamp lamps[SHERD_RENDER_MOST_LAMPS], sherd_render_scene *out);
