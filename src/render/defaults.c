#include "render/defaults.h"

#include <sherd/render.h>

#include <math.h>

static const double DEGREE = 0.017453292519943295;

sherd_render_material sherd_render_material_default(void)
{
    return (sherd_render_material){
        .outer_color = {0.66f, 0.63f, 0.58f},
        .inner_color = {0.42f, 0.24f, 0.155f},
        .outer_roughness = 0.15,
        .inner_roughness = 0.7,
        .outer_coat = 1.0,
        .inner_coat = 0.1,
        .surface = SHERD_RENDER_OPAQUE,
        .refractive_index = 1.5,
    };
}

static float absorption_of(float share, double depth)
{
    return (float)(-log(fmin(fmax((double)share, 1e-3), 1.0)) / depth);
}

sherd_color sherd_render_absorption(sherd_color color, double depth)
{
    if (!(depth > 0.0)) return (sherd_color){0.0f, 0.0f, 0.0f};
    return (sherd_color){absorption_of(color.r, depth), absorption_of(color.g, depth),
                         absorption_of(color.b, depth)};
}

static sherd_render_light light_default(void)
{
    return (sherd_render_light){
        .key_azimuth = -62.0 * DEGREE,
        .key_elevation = 35.0 * DEGREE,
        .key_angular_radius = 8.0 * DEGREE,
        .key_irradiance = {3.1f, 2.8f, 2.4f},
        .sky_zenith = {0.20f, 0.24f, 0.31f},
        .sky_horizon = {0.26f, 0.27f, 0.29f},
    };
}

sherd_render_scene sherd_render_scene_default(void)
{
    sherd_bounds cube = {{-0.5, -0.5, 0.0}, {0.5, 0.5, 1.0}};
    return (sherd_render_scene){
        .cookie = SHERD_RENDER_SCENE_COOKIE,
        .ground = {.kind = SHERD_RENDER_GROUND_PLANE,
                   .normal = {0.0, 0.0, 1.0},
                   .color = {0.155f, 0.165f, 0.185f},
                   .roughness = 0.35,
                   .coat = 0.0},
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
