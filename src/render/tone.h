// From light to screen values.
#pragma once

#include "render/film.h"

// Filmic curve, sRGB encoding and half a step of dither, to r, g, b bytes. (x, y) seed the dither.
void sherd_tone_map(vec3f radiance, float exposure, int x, int y, uint8_t rgb[3]);
