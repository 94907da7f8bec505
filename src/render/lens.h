// Rays from the camera through a thin lens.
#pragma once

#include "render/sampler.h"
#include "render/vec3f.h"

#include <sherd/render.h>

// In view units: the distance from the camera to its target is 1.
typedef struct sherd_lens {
    vec3f position;
    vec3f forward, right, up; // right and up reach from the middle to the edge of the picture
    vec3f across, along;      // the lens radius times the directions to the right and up
    float focus;              // distance of the plane in focus
} sherd_lens;

// `origin` and `scale` convert to view units, as in sherd_tracer.
sherd_lens sherd_lens_make(const sherd_camera *camera, double aspect, sherd_vec3 origin,
                           double scale);

// Linear interpolation between two lenses: (1 - share) a + share b.
sherd_lens sherd_lens_mix(const sherd_lens *a, const sherd_lens *b, float share);

// (u, v): position in the picture, from -1 to 1 to the right and up.
void sherd_lens_ray(const sherd_lens *lens, float u, float v, sample2 random, vec3f *origin,
                    vec3f *direction);
