// Colour maps.
#include "math/srgb.h"

#include <sherd/render.h>

#include <math.h>

static float linear_of_byte(uint32_t channel)
{
    return (float)srgb_to_linear(channel / 255.0);
}

sherd_color sherd_color_srgb(uint32_t rgb)
{
    return (sherd_color){linear_of_byte(rgb >> 16 & 255), linear_of_byte(rgb >> 8 & 255),
                         linear_of_byte(rgb & 255)};
}

// Converts from OKLCh, the polar form of OKLab, in which equal distances look equal (B. Ottosson,
// 2020).
//   lightness 0..1; chroma; hue [rad]
static sherd_color color_from_oklch(double lightness, double chroma, double hue)
{
    double a = chroma * cos(hue), b = chroma * sin(hue);
    double l = lightness + 0.3963377774 * a + 0.2158037573 * b;
    double m = lightness - 0.1055613458 * a - 0.0638541728 * b;
    double s = lightness - 0.0894841775 * a - 1.2914855480 * b;
    l = l * l * l, m = m * m * m, s = s * s * s;
    double red = 4.0767416621 * l - 3.3077115913 * m + 0.2309699292 * s;
    double green = -1.2684380046 * l + 2.6097574011 * m - 0.3413193965 * s;
    double blue = -0.0041960863 * l - 0.7034186147 * m + 1.7076147010 * s;
    return (sherd_color){(float)fmin(fmax(red, 0.0), 1.0), (float)fmin(fmax(green, 0.0), 1.0),
                         (float)fmin(fmax(blue, 0.0), 1.0)};
}

// Lightness rises evenly, so that the order of values can be read without a legend. The hue turns
// from violet through red and orange to yellow. The chroma is small at both ends, where the
// display's gamut is narrow.
sherd_color sherd_color_map(double t)
{
    double x = t > 0.0 ? fmin(t, 1.0) : 0.0; // not-a-number too
    double lightness = 0.20 + 0.76 * x;
    double chroma = 0.05 + 0.62 * x * (1.0 - x) + 0.04 * x;
    double hue = -1.25 + 3.15 * x;
    return color_from_oklch(lightness, chroma, hue);
}

// Lightness falls and chroma rises equally on both sides, so that equal magnitudes look equally
// strong. The hue turns slightly towards violet blue and towards dark red.
sherd_color sherd_color_map_signed(double t)
{
    double x = t > -1.0 ? fmin(t, 1.0) : -1.0;
    if (isnan(t)) x = 0.0;
    double size = fabs(x), lightness = 0.93 - 0.52 * size;
    double chroma = 0.17 * size * (1.6 - 0.6 * size);
    double hue = x < 0.0 ? 4.25 + 0.35 * size : 0.75 - 0.25 * size;
    return color_from_oklch(lightness, chroma, hue);
}

// Hues a golden angle apart stay evenly distributed. Lightness and chroma alternate to separate
// similar hues.
sherd_color sherd_color_categorical(int64_t id)
{
    const double golden_angle = 2.399963229728653, turn = 6.283185307179586;
    uint64_t k = (uint64_t)id;
    double hue = fmod(0.9 + golden_angle * (double)(k % 1000003), turn);
    double lightness = 0.68 + 0.07 * ((double)(k % 3) - 1.0);
    double chroma = 0.115 + 0.02 * (double)(k / 3 % 2);
    return color_from_oklch(lightness, chroma, hue);
}
