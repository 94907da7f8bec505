// Noise removal by edge-aware wavelets.
#pragma once

#include "base/parallel.h"
#include "render/film.h"

#include <stdbool.h>

// Smooths the film's radiance in place. `pixel_angle` is the angle between neighbouring pixels
// [rad]; it sets the tolerance of differences in depth. The spacing of the pixels that are averaged
// doubles with each of the `passes`, at most SHERD_DENOISE_PASSES. False when memory is short.
enum { SHERD_DENOISE_PASSES = 4 };
bool sherd_denoise(sherd_film *film, float pixel_angle, int passes, const sherd_parallel *parallel);
