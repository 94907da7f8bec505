#include "render/tone.h"

// Filmic response: a soft toe, a straight middle and a long shoulder, so that highlights roll off
// instead of clipping. Rational fit of the ACES reference curve by K. Narkowicz (2015).
static float filmic(float x)
{
    float y = (x * (2.51f * x + 0.03f)) / (x * (2.43f * x + 0.59f) + 0.14f);
    return fminf(fmaxf(y, 0.0f), 1.0f);
}

// IEC 61966-2-1.
static float srgb_of_linear(float x)
{
    return x <= 0.0031308f ? 12.92f * x : 1.055f * powf(x, 1.0f / 2.4f) - 0.055f;
}

// Fixed pattern with little low-frequency content (J. Jimenez's interleaved gradient noise, 2014):
// hides the steps between 8-bit values in the smooth backdrop.
static float dither(int x, int y)
{
    float v = 0.06711056f * (float)x + 0.00583715f * (float)y;
    v = 52.9829189f * (v - floorf(v));
    return v - floorf(v);
}

static uint8_t to_byte(float x, float threshold)
{
    return (uint8_t)fminf(255.0f * srgb_of_linear(filmic(x)) + threshold, 255.0f);
}

void sherd_tone_map(vec3f radiance, float exposure, int x, int y, uint8_t rgb[3])
{
    float threshold = dither(x, y);
    vec3f c = vec3f_scale(exposure, radiance);
    rgb[0] = to_byte(c.x, threshold);
    rgb[1] = to_byte(c.y, threshold);
    rgb[2] = to_byte(c.z, threshold);
}
