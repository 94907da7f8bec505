// Previews: light is traced with one sample per pixel and filtered; then edges get further samples
// of what the camera sees there, which take the filtered light of pixels nearby that show the same
// surface.
#pragma once

#include "base/parallel.h"
#include "render/film.h"
#include "render/lens.h"
#include "render/path.h"

#include <stdbool.h>

typedef struct sherd_preview {
    const path_scene *paths;
    const sherd_lens *lens;
    sherd_film film;
    float pixel_angle; // between neighbouring pixels [rad]
    uint64_t seed;
} sherd_preview;

// The camera's ray through the place of sample `k` of a pixel.
tracer_ray sherd_preview_ray(const sherd_lens *lens, const sherd_film *film, int x, int y, int k);

// The sample of a pixel between those of the grid (every other pixel of every other row) whose light
// is that of the grid's pixels around it that show the same surface. False if there is none; then
// *sum is as before.
bool sherd_preview_borrow(const sherd_preview *preview, sampler *random, int x, int y,
                          film_pixel *sum);

// Removes noise from the pixels of the grid, which have one sample each: the noise of a pixel is the
// variance of the light of the pixels around it. False when memory is short.
bool sherd_preview_filter(const sherd_preview *preview, const sherd_parallel *parallel);

// Removes noise from the pixels that did not borrow light, and adds samples to the edges. The light of
// the grid is filtered. False when memory is short.
bool sherd_preview_smooth_edges(const sherd_preview *preview, const sherd_parallel *parallel);
