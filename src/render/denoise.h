// Noise removal by edge-aware wavelets.
#pragma once

#include "base/parallel.h"
#include "render/film.h"

#include <stdbool.h>

// Smooths the film's radiance in place. `pixel_angle` is the angle between neighbouring pixels
// [rad]; it sets the tolerance of differences in depth. False when memory is short.
bool sherd_denoise(sherd_film *film, float pixel_angle, const sherd_parallel *parallel);
