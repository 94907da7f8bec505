// The film: for each pixel, sums over its samples while it is sampled, and their means afterwards.
#pragma once

#include "render/vec3f.h"

#include <stdbool.h>
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
    vec3f crisp;    // the part of `radiance` that noise removal leaves alone; in previews only
    int32_t clear;  // number of samples that pass glass
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

// Radiance is divided by this where light is compared between pixels of one surface. A constant is
// added to the albedo: light that a coat reflects is not coloured by the albedo; on dark surfaces
// it is most of the radiance, and dividing it by a varying albedo would turn the texture into
// noise. `pixel` holds means.
static inline vec3f film_divisor(const film_pixel *pixel)
{
    const float darkest = 0.2f;
    if (pixel->on_ground == pixel->taken) return film_ground_color(pixel, 1.0f);
    return vec3f_add(pixel->albedo, vec3f_make(darkest, darkest, darkest));
}

typedef struct sherd_film {
    int32_t width, height;
    bool parts_clear;   // noise removal does not mix pixels that show glass with others
    film_pixel *pixels; // rows from the top (height x width)
} sherd_film;
