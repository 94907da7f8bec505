// Single paths through a scene, before noise removal and tone: what tests of light compare with known solutions.
#pragma once

#include "render/path.h"

#include <sherd/render.h>

typedef struct render_probe {
    sherd_tracer tracer;
    sherd_lighting lighting;
    path_scene paths;
} render_probe;

// A scene of `environment` alone, without ground: everything added is all there is.
static inline sherd_render_scene probe_scene(const sherd_environment *environment)
{
    sherd_render_scene scene = sherd_render_scene_default();
    scene.ground.kind = SHERD_RENDER_GROUND_NONE;
    scene.environment = environment;
    scene.camera = (sherd_camera){.position = {0.0, -4.0, 0.0},
                                  .target = {0.0, 0.0, 0.0},
                                  .up = {0.0, 0.0, 1.0},
                                  .vertical_fov = 0.6};
    scene.denoise = SHERD_RENDER_DENOISE_OFF;
    scene.threads = 2;
    return scene;
}

static inline void probe_open(render_probe *probe, const sherd_render_scene *scene)
{
    sherd_error error = {0};
    cr_assert(sherd_tracer_open(&probe->tracer, scene, &error) == SHERD_OK, "%s: %s", error.where,
              error.what);
    sherd_lighting_init(&probe->lighting, scene, vec3f_make(0.0f, 1.0f, 0.0f));
    probe->paths = (path_scene){
        .tracer = &probe->tracer, .lighting = &probe->lighting, .bounces = scene->bounces};
}

// Mean radiance of `count` paths from a place in the world.
static inline vec3f probe_radiance(const render_probe *probe, sherd_vec3 from, vec3f direction,
                                   int count)
{
    sampler random = sherd_sampler_make(count, 7);
    sherd_sampler_start(&random, 5, 9);
    vec3f sum = {0.0f, 0.0f, 0.0f};
    unsigned mode = sherd_tracer_enter_fast_mode();
    for (random.sample = 0; random.sample < (uint32_t)count; ++random.sample) {
        tracer_ray ray = {sherd_tracer_point(&probe->tracer, from), direction, 0.0f, 0.0f};
        sum = vec3f_add(sum, sherd_path_trace(&probe->paths, &ray, &random).radiance);
    }
    sherd_tracer_leave_fast_mode(mode);
    return vec3f_scale(1.0f / (float)count, sum);
}

// Uniform light from everywhere.
static inline sherd_environment *even_environment(float radiance)
{
    enum { WIDE = 32, HIGH = 16 };
    float *pixels = sherd_alloc(3 * WIDE * HIGH, sizeof *pixels);
    for (int k = 0; k < 3 * WIDE * HIGH; ++k)
        pixels[k] = radiance;
    return sherd_environment_take(WIDE, HIGH, pixels);
}
