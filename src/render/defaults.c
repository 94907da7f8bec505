#include "render/defaults.h"

#include <sherd/render.h>

static const double DEGREE = 0.017453292519943295;

sherd_render_material sherd_render_material_default(void)
{
    return (sherd_render_material){
        .outer_color = {0.74f, 0.71f, 0.66f},
        .inner_color = {0.52f, 0.30f, 0.19f},
        .outer_roughness = 0.22,
        .inner_roughness = 0.7,
        .outer_coat = 1.0,
        .inner_coat = 0.1,
        .surface = SHERD_RENDER_OPAQUE,
    };
}

static sherd_render_light light_default(void)
{
    return (sherd_render_light){
        .key_azimuth = -55.0 * DEGREE,
        .key_elevation = 46.0 * DEGREE,
        .key_angular_radius = 8.0 * DEGREE,
        .key_irradiance = {2.9f, 2.65f, 2.3f},
        .sky_zenith = {0.36f, 0.42f, 0.52f},
        .sky_horizon = {0.50f, 0.50f, 0.50f},
    };
}

sherd_render_scene sherd_render_scene_default(void)
{
    sherd_bounds cube = {{-0.5, -0.5, 0.0}, {0.5, 0.5, 1.0}};
    return (sherd_render_scene){
        .cookie = SHERD_RENDER_SCENE_COOKIE,
        .ground = {.kind = SHERD_RENDER_GROUND_PLANE,
                   .normal = {0.0, 0.0, 1.0},
                   .color = {0.17f, 0.18f, 0.20f},
                   .roughness = 0.35,
                   .coat = 0.3},
        .camera = sherd_camera_frame_bounds(cube, 16.0 / 9.0),
        .light = light_default(),
        .exposure = 1.0,
        .width = 1280,
        .height = 720,
        .samples_per_pixel = 16,
        .bounces = 1,
        .denoise = SHERD_RENDER_DENOISE_ON,
        .seed = 1,
    };
}
