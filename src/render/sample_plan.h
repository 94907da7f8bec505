// Adaptive sampling: how many samples each pixel needs, judged from a first round of samples.
//
// Noise removal averages light over parts of one smooth surface. A few samples per pixel are enough
// there, and the fewer the less the light varies. At edges, cracks and textures nothing is
// averaged, so that these pixels get more samples than others. Where a pixel and its neighbours
// show only the ground, they differ in texture alone: samples of the texture, without tracing
// light, are enough.
#pragma once

#include "base/parallel.h"
#include "render/film.h"

#include <stdbool.h>

// Numbers of samples of a pixel.
typedef struct pixel_plan {
    uint16_t light; // samples whose full path is traced
    uint16_t color; // samples of the surface's colour, including the `light` samples
} pixel_plan;

// Whether all samples of a pixel see the same thing, or each one of several things at random, none
// of which the first round may miss.
typedef enum sample_plan_view {
    SAMPLE_PLAN_SHARP = 0,
    SAMPLE_PLAN_GLASS, // pixels that see the ground alone are sharp
    SAMPLE_PLAN_MIXED, // motion blur, depth of field
} sample_plan_view;

typedef struct sample_plan {
    int first; // samples per pixel in the first round
    int edge;  // samples of pixels at edges
    int most;  // largest number of samples of a pixel
    sample_plan_view view;
    float white; // radiance that the picture shows as white
} sample_plan;

// The plan of a denoised picture whose nominal number of samples per pixel is `samples`.
// `has_glass`: in a view of any kind.
sample_plan sherd_sample_plan_make(int samples, sample_plan_view view, bool has_glass);

// Sets `wanted` for every pixel (height x width), from a film that holds the sums of the first
// round. `pixel_angle`: angle between neighbouring pixels [rad]. False when memory is short.
bool sherd_sample_plan_choose(const sample_plan *plan, int samples, const sherd_film *film,
                              float pixel_angle, pixel_plan *wanted,
                              const sherd_parallel *parallel);

// Whether a neighbour of a pixel shows another surface. `film` holds sums, or means of one sample
// per pixel.
bool sherd_sample_plan_is_edge(const sherd_film *film, int x, int y, float pixel_angle);
