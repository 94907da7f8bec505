// Environment map: a picture of everything around the scene, used as a light source, in
// equirectangular (latitude-longitude) projection. Rows go from straight up (z) to straight down.
// The middle column is towards x, and columns to the right are clockwise from it, as seen from
// above. Bright parts are importance sampled.
#pragma once

#include "render/sampler.h"
#include "render/vec3f.h"

#include <sherd/render.h>

struct sherd_environment {
    int width, height;
    float *pixels;     // linear r, g, b (height x width x 3)
    float turn;        // rotation counterclockwise, as a fraction of a whole turn, [0, 1)
    float brightness;  // factor
    int columns, rows; // cells of the sampling distribution
    // cumulative distribution of rows, by luminance times solid angle, 0 to 1 (rows + 1)
    float *row_sums;
    float *column_sums;   // cumulative distribution within each row, 0 to 1 (rows x (columns + 1))
    vec3f sun;            // direction to it
    float sun_cosine;     // of its angular radius
    vec3f sun_irradiance; // on a surface facing it; 0: no sun apart from what the picture shows
};

// Makes an environment from pixels, of which it takes ownership; frees them on failure. The caller
// owns the result; it is NULL when memory is short.
sherd_environment *sherd_environment_take(int width, int height, float *pixels);

vec3f sherd_environment_radiance(const sherd_environment *environment, vec3f direction);

// Samples a direction with a density roughly proportional to radiance.
vec3f sherd_environment_direction(const sherd_environment *environment, sample2 random);
// The density with which sherd_environment_direction samples a direction [1 / sr].
float sherd_environment_density(const sherd_environment *environment, vec3f direction);
