// The radiance of one path that starts at the camera.
#pragma once

#include "render/sheen.h"

typedef struct path_scene {
    const sherd_tracer *tracer;
    const sherd_lighting *lighting;
    int bounces;
    sherd_render_quality quality;
    const sherd_sheen *sheen; // of the ground in previews; NULL: it is traced alone
    int steady; // samples of a pixel that follow weak paths through glass to their ends
} path_scene;

// Result of a camera path: radiance, and features of the first hit that guide noise removal.
typedef struct path_result {
    vec3f radiance;
    vec3f crisp; // the part of the radiance without noise: what glass mirrors, the sky behind
                 // everything; in previews only
    vec3f albedo;
    vec3f normal;
    vec3f position;
    bool ground;    // the first hit is the ground, with no glass before it
    float mirrored; // Fresnel reflectance of the ground's coat
    bool clear;     // there is glass before the first hit
    bool scatters;  // the first hit is an opaque surface, which scatters light
    bool sky;       // there is nothing but the sky
} path_result;

// What the camera sees of a surface, without light.
path_result sherd_path_see(const tracer_ray *ray, const tracer_hit *hit);

// In previews: what a camera path sees, without light but the sky's and what glass mirrors of the
// surroundings.
path_result sherd_path_look(const path_scene *scene, const tracer_ray *ray, sampler *random);

path_result sherd_path_trace(const path_scene *scene, const tracer_ray *ray, sampler *random);
