// Light carried by one path from the camera.
#pragma once

#include "render/lighting.h"

typedef struct path_scene {
    const sherd_tracer *tracer;
    const sherd_lighting *lighting;
    int bounces;
} path_scene;

// Result of a camera ray: light, and guides for noise removal.
typedef struct path_result {
    vec3f radiance;
    vec3f albedo;
    vec3f normal;
    vec3f position;
    bool ground;    // with nothing before it, as glass
    float mirrored; // by the ground's coat, as a share of what arrives
} path_result;

path_result sherd_path_trace(const path_scene *scene, const tracer_ray *ray, sampler *random);
