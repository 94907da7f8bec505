// The picture while it is being made: means over each pixel's samples, and sums of them until all are taken.
#pragma once

#include "render/vec3f.h"

#include <stdint.h>

typedef struct film_pixel {
    vec3f radiance;
    // Of the mean's luminance; while samples are taken, the sum of squared differences from `mean`.
    float variance;
    vec3f albedo, normal, position; // guides for noise removal
    float mean;                     // luminance of the samples so far
    int32_t taken;                  // samples so far
    int32_t on_ground;              // of them, those that show the ground with nothing before it
    float mirrored;                 // by the ground's coat, as a share of what arrives
} film_pixel;

// What the ground's light is divided by to be free of its colour: what the coat mirrors adds to that as a colour does.
// `sums` is of `samples`.
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
