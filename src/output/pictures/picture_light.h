// A scene's sky and lamps, as the path tracer takes them.
#pragma once

#include <sherd/render.h>
#include <sherd/scene.h>

// Owned environment; *out is NULL without an error for the studio, in the dark too.
sherd_status sherd_picture_environment(const sherd_scene_sky *sky, sherd_environment **out,
                                       sherd_error *error);

// `lamps` is filled and borrowed by `out`; in the dark the studio's light is put out.
void sherd_picture_light(const sherd_scene_render *render,
                         sherd_render_lamp lamps[SHERD_RENDER_MOST_LAMPS], sherd_render_scene *out);
