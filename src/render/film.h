// The film: for each pixel, sums over its samples while it is sampled, and their means afterwards.
#pragma once

#include "render/vec3f.h"

#include <stdint.h>

typedef struct film_pixel {
    vec3f radiance;
    // Variance of the mean luminance. While the pixel is sampled: sum of squared deviations of the
    // samples' luminances from `mean`.
    float variance;
    vec3f albedo, normal, position; // guides for noise removal
    float mean;                     // mean luminance of the samples so far
    int32_t taken;                  // number of samples so far
    // number of samples whose first hit is the ground, with no glass before it
    int32_t on_ground;
    float mirrored; // Fresnel reflectance of the ground's coat
} film_pixel;

// The ground's radiance is divided by this to separate illumination from the ground's texture. It
// is the mean albedo plus the coat's mean reflectance, since reflected light adds to scattered
// light without taking on the albedo. `sums` are over `samples` samples.
static inline vec3f film_ground_color(const film_pixel *sums, float samples)
{
    const float darkest = 0.01f;
    float share = 1.0f / samples, coat = float_max(share * sums->mirrored, darkest);
    return vec3f_add(vec3f_scale(share, sums->albedo), vec3f_make(coat, coat, coat));
}

typedef struct sherd_film {
    int32_t width, height;
    film_pixel *pixels; // rows from the top (height x width)
} sherd_film;
