// A picture of all that surrounds a scene, as light; rows from straight above (z) to straight below, the
// middle towards x, columns to the right as one turns to the right. Bright places are aimed at.
#pragma once

#include "render/sampler.h"
#include "render/vec3f.h"

#include <sherd/render.h>

struct sherd_environment {
    int width, height;
    float *pixels;        // linear r, g, b (height x width x 3)
    float turn;           // how far it is turned counterclockwise, of a whole turn, [0, 1)
    float brightness;     // factor
    int columns, rows;    // cells that directions are chosen from
    float *row_sums;      // of brightness times solid angle up to a row, from 0 to 1 (rows + 1)
    float *column_sums;   // within each row, from 0 to 1                     (rows x (columns + 1))
    vec3f sun;            // direction to it
    float sun_cosine;     // of its angular radius
    vec3f sun_irradiance; // on what faces it; 0: there is none but in the picture
};

// Owned environment of these pixels, which it takes over; frees them on failure. NULL when memory is short.
sherd_environment *sherd_environment_take(int width, int height, float *pixels);

vec3f sherd_environment_radiance(const sherd_environment *environment, vec3f direction);

// A direction chosen about as bright as it is.
vec3f sherd_environment_direction(const sherd_environment *environment, sample2 random);
// How dense such directions are [1 / sr].
float sherd_environment_density(const sherd_environment *environment, vec3f direction);
