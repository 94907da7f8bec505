#include "render/texture/pattern.h"

// Position of the pith (the tree's centre) relative to the body's origin, in ring widths. Boards
// are cut beside it.
static const double PITH_X = 2.7, PITH_Y = -9.3;

// Fraction of late wood, which is dark and dense, at a position within a growth ring. It rises
// slowly and ends abruptly at the next spring. It is 0 at both ends, so that adjacent rings may
// differ.
static float late_wood(float within)
{
    return noise_ramp(0.2f, 0.9f, within) * (1.0f - noise_ramp(0.94f, 1.0f, within));
}

texture_tint sherd_pattern_wood(noise_place p, bool inner)
{
    // Trunks bend slowly along the grain, and rings are not exactly circular.
    noise_place slow = {0.11 * p.x, 0.11 * p.y, 0.035 * p.z, p.seed};
    double x = p.x - PITH_X + 1.5 * (double)sherd_noise(slow);
    double y = p.y - PITH_Y + 1.5 * (double)sherd_noise(noise_other(slow, 1));
    double around = sqrt(x * x + y * y);
    around += 0.35 * (double)sherd_noise((noise_place){0.4 * p.x, 0.4 * p.y, 0.06 * p.z, p.seed});
    double ring = floor(around);
    noise_place year = {ring + 0.5, 0.5, 0.5, p.seed};
    float late = late_wood((float)(around - ring)) * (0.75f + 0.5f * sherd_noise(year));

    noise_place fibre = {7.0 * p.x, 7.0 * p.y, 0.25 * p.z, p.seed};
    noise_place fine = {23.0 * p.x, 23.0 * p.y, 0.8 * p.z, p.seed};
    float streaks = 0.11f * sherd_noise(fibre) + 0.08f * sherd_noise(fine);
    // Vessels cut lengthwise: short dark lines, most of them in early wood.
    noise_place vessel = {13.0 * p.x, 13.0 * p.y, 0.55 * p.z, p.seed + 77u};
    float pore = noise_ramp(0.38f, 0.62f, sherd_noise(vessel)) * (1.0f - late);
    float light = (1.0f + (inner ? 1.6f : 1.0f) * streaks) * (1.0f - 0.38f * pore);
    vec3f color = vec3f_mix(vec3f_make(1.12f, 1.13f, 1.12f), vec3f_make(0.60f, 0.47f, 0.36f), late);
    return (texture_tint){vec3f_scale(light, color), 1.0f + 0.5f * pore - 0.15f * late};
}
