// Tone mapping: from radiance to display values.
#pragma once

#include "render/film.h"

// Applies a filmic curve, sRGB encoding and half a step of dither. The result is r, g, b bytes. The
// pixel (x, y) selects the dither.
void sherd_tone_map(vec3f radiance, float exposure, int x, int y, uint8_t rgb[3]);
