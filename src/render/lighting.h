// Distant light: either the studio (a soft key light, a sky dome with a rim panel, and a backdrop)
// or an environment map with its sun.
#pragma once

#include "render/sky/environment.h"
#include "render/tracer.h"

enum { LIGHTING_MEANS = 33 };

typedef struct sherd_lighting {
    vec3f up;                             // away from the ground
    const sherd_environment *environment; // NULL: the studio
    frame3f key;                          // z points to the key light or the sun
    float key_cosine;                     // cosine of its angular radius
    float key_density;                    // sampling density of directions to it [1 / sr]
    vec3f key_irradiance;                 // on a surface facing it
    vec3f key_radiance;                   // of its disk
    vec3f sky_zenith, sky_horizon;
    vec3f rim; // towards the middle of the rim panel
    vec3f floor_albedo;
    vec3f floor_radiance; // of unoccluded ground near the middle of the scene
    // Cosine-weighted mean radiance of the open sky (sherd_lighting_open_sky), tabulated over the
    // cosine, from -1 to 1, of the angle between the normal and `up` (dome) or `rim` (rim panel).
    vec3f dome_mean[LIGHTING_MEANS];
    float rim_mean[LIGHTING_MEANS];
    vec3f sky_mean; // mean radiance of the upper hemisphere, cosine-weighted
} sherd_lighting;

// `forward`: unit direction of the camera.
void sherd_lighting_init(sherd_lighting *lighting, const sherd_render_scene *scene, vec3f forward);

// Samples a direction to the key light.
vec3f sherd_lighting_key_direction(const sherd_lighting *lighting, sample2 random);

// Studio only. The radiance of the sky, continued below the horizon and without occlusion by the
// scene, and its cosine-weighted mean over the hemisphere about a normal.
vec3f sherd_lighting_open_sky(const sherd_lighting *lighting, vec3f direction);
vec3f sherd_lighting_open_sky_mean(const sherd_lighting *lighting, vec3f normal);

// Radiance from a direction in which a ray leaves the scene, without the key light.
vec3f sherd_lighting_sky(const sherd_lighting *lighting, vec3f direction);

// Radiance of the key light's disk; 0 outside the disk.
vec3f sherd_lighting_key_radiance(const sherd_lighting *lighting, vec3f direction);

// Estimate of the ambient light on a surface at which a path is terminated: cosine-weighted mean
// radiance.
vec3f sherd_lighting_ambient(const sherd_lighting *lighting, vec3f normal);

// The backdrop: a floor that curves up into a wall and darkens.
vec3f sherd_lighting_backdrop(const sherd_lighting *lighting, vec3f direction);

// Studio only. A factor on the floor's radiance, which falls off with the distance from the middle.
float sherd_lighting_pool(float radius);

// How far the floor has faded into the backdrop: 0 near the middle, 1 far away.
float sherd_lighting_floor_fade(float radius);
