// The radiance of one path that starts at the camera.
#pragma once

#include "render/lighting.h"

typedef struct path_scene {
    const sherd_tracer *tracer;
    const sherd_lighting *lighting;
    int bounces;
} path_scene;

// Result of a camera path: radiance, and features of the first hit that guide noise removal.
typedef struct path_result {
    vec3f radiance;
    vec3f albedo;
    vec3f normal;
    vec3f position;
    bool ground;    // the first hit is the ground, with no glass before it
    float mirrored; // Fresnel reflectance of the ground's coat
} path_result;

path_result sherd_path_trace(const path_scene *scene, const tracer_ray *ray, sampler *random);
