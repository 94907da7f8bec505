// Scene keys that belong to no definition of the world.
#pragma once

#include <sherd/scene.h>

// Tables of fields read from a scene in addition to those of definitions.
const sherd_definition *sherd_scene_material_fields(void);
const sherd_definition *sherd_scene_appearance_fields(void);
const sherd_definition *sherd_scene_body_fields(void);
const sherd_definition *sherd_scene_obstacle_fields(void);
const sherd_definition *sherd_scene_driver_fields(void);
const sherd_definition *sherd_scene_output_fields(void);
const sherd_definition *sherd_scene_camera_key_fields(void);
const sherd_definition *sherd_scene_lamp_fields(void);
