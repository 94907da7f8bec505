// Keys of scenes that no definition of the world has.
#pragma once

#include <sherd/scene.h>

// What is read of a scene besides the definitions that it holds.
const sherd_definition *sherd_scene_material_fields(void);
const sherd_definition *sherd_scene_appearance_fields(void);
const sherd_definition *sherd_scene_body_fields(void);
const sherd_definition *sherd_scene_obstacle_fields(void);
const sherd_definition *sherd_scene_driver_fields(void);
const sherd_definition *sherd_scene_output_fields(void);
const sherd_definition *sherd_scene_camera_key_fields(void);
const sherd_definition *sherd_scene_lamp_fields(void);
