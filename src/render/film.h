// The picture while it is being made: means over each pixel's samples.
#pragma once

#include "render/vec3f.h"

#include <stdint.h>

typedef struct film_pixel {
    vec3f radiance;
    float variance;                 // of the mean's luminance
    vec3f albedo, normal, position; // guides for noise removal
} film_pixel;

typedef struct sherd_film {
    int32_t width, height;
    film_pixel *pixels; // rows from the top (height x width)
} sherd_film;
