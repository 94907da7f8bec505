// Light from afar: the studio's soft key light, sky dome with a rim panel, and backdrop; or an environment and its sun.
#pragma once

#include "render/sky/environment.h"
#include "render/tracer.h"

enum { LIGHTING_MEANS = 33 };

typedef struct sherd_lighting {
    vec3f up;                             // away from the ground
    const sherd_environment *environment; // NULL: the studio
    frame3f key;                          // z points to the key light or the sun
    float key_cosine;                     // of its angular radius
    float key_density;                    // of directions to it [1 / sr]
    vec3f key_irradiance;                 // on a surface facing it
    vec3f key_radiance;                   // of its disc
    vec3f sky_zenith, sky_horizon;
    vec3f rim; // towards the middle of the rim panel
    vec3f floor_albedo;
    vec3f floor_radiance; // of open ground near the middle of the scene
    // Means of the open sky (sherd_lighting_open_sky), cosine-weighted, of normals whose cosines with `up` and `rim` go
    // from -1 to 1.
    vec3f dome_mean[LIGHTING_MEANS];
    float rim_mean[LIGHTING_MEANS];
    vec3f sky_mean; // mean radiance of the upper hemisphere, cosine-weighted
} sherd_lighting;

// `forward`: unit direction of the camera.
void sherd_lighting_init(sherd_lighting *lighting, const sherd_render_scene *scene, vec3f forward);

// A direction to a point of the key light.
vec3f sherd_lighting_key_direction(const sherd_lighting *lighting, sample2 random);

// Studio only: the sky without what may stand before it, continued below the horizon, and its cosine-weighted mean
// about a normal.
vec3f sherd_lighting_open_sky(const sherd_lighting *lighting, vec3f direction);
vec3f sherd_lighting_open_sky_mean(const sherd_lighting *lighting, vec3f normal);

// Light from all around, but the key light, for a ray that leaves the scene.
vec3f sherd_lighting_sky(const sherd_lighting *lighting, vec3f direction);

// Of the key light's disc, 0 beside it.
vec3f sherd_lighting_key_radiance(const sherd_lighting *lighting, vec3f direction);

// Light on a surface deep in the scene, from everywhere, when no more rays are followed.
vec3f sherd_lighting_ambient(const sherd_lighting *lighting, vec3f normal);

// The backdrop: a floor that curves up into a wall and darkens.
vec3f sherd_lighting_backdrop(const sherd_lighting *lighting, vec3f direction);

// Brightness of the floor at a distance from the middle: a pool of light.
float sherd_lighting_pool(float radius);

// 0 near the middle to 1 where the floor has become backdrop.
float sherd_lighting_floor_fade(float radius);
