// Validates a scene before anything is built from it.
#pragma once

#include <sherd/render.h>

// SHERD_OK, or SHERD_ERROR_INPUT naming the field, mesh or batch and the offending item.
sherd_status sherd_render_scene_check(const sherd_render_scene *scene, sherd_error *error);
