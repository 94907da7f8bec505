// How many samples each pixel needs, from what the first round of samples found.
//
// Noise removal averages light over parts of one smooth surface, so a few samples a pixel are enough there, fewer the
// less their light varies. At edges, cracks and textures nothing is averaged: these get more than others do. Where
// a pixel and those around it show nothing but the ground, its texture is all that differs: samples of the texture,
// without light, are enough.
#pragma once

#include "base/parallel.h"
#include "render/film.h"

#include <stdbool.h>

// What a pixel gets.
typedef struct pixel_plan {
    uint16_t light; // samples with all their light
    uint16_t color; // samples of the surface's colour, those with light among them
} pixel_plan;

// What a pixel shows: one thing, or by chance one of several, of which the first round must not miss any.
typedef enum sample_plan_view {
    SAMPLE_PLAN_SHARP = 0,
    SAMPLE_PLAN_MIXED, // motion blur, depth of field, glass
} sample_plan_view;

typedef struct sample_plan {
    int first; // samples of the first round, of every pixel
    int most;  // of any pixel
    sample_plan_view view;
} sample_plan;

// For pictures of `samples` a pixel, with noise removal.
sample_plan sherd_sample_plan_make(int samples, sample_plan_view view);

// Sets `wanted` of every pixel (height x width) of a film that holds sums of the first round. `pixel_angle`: between
// neighbours [rad]. False when memory is short.
bool sherd_sample_plan_choose(const sample_plan *plan, int samples, const sherd_film *film,
                              float pixel_angle, pixel_plan *wanted,
                              const sherd_parallel *parallel);
