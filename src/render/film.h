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
} film_pixel;

typedef struct sherd_film {
    int32_t width, height;
    film_pixel *pixels; // rows from the top (height x width)
} sherd_film;
