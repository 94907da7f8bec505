// Concrete and marble.
#include "render/texture/pattern.h"

// Pebbles of random size around scattered points. Returns how much of the colour at `p` is the
// pebble's, in [0, 1], and this colour.
static float pebble(noise_place p, vec3f *color)
{
    static const vec3f COLORS[] = {
        {1.22f, 1.18f, 1.08f}, {0.62f, 0.60f, 0.58f}, {0.98f, 0.82f, 0.68f}, {0.80f, 0.84f, 0.88f}};
    noise_place bump = noise_other(noise_scale(2.3, p), 5);
    noise_cell cell = sherd_noise_cell(p);
    float radius = 0.24f + 0.26f * noise_share(cell.id, 0) + 0.09f * sherd_noise(bump);
    float light = 0.9f + 0.2f * noise_share(cell.id, 1);
    *color = vec3f_scale(light, COLORS[cell.id >> 16 & 3u]);
    return 1.0f - noise_ramp(radius - 0.03f, radius, cell.distance);
}

texture_tint sherd_pattern_concrete(noise_place p, bool inner)
{
    float clouds = 0.16f * sherd_noise_sum(noise_scale(0.3, p), 3);
    float sand =
        0.09f * sherd_noise(noise_scale(11.0, p)) + 0.09f * sherd_noise(noise_scale(27, p));
    vec3f color = pattern_grey(1.0f + clouds + sand);
    // On cast (outer) faces a skin of cement covers the stones.
    vec3f stone;
    float share = pebble(p, &stone);
    color =
        vec3f_mix(color, vec3f_scale(1.0f + 0.7f * sand, stone), share * (inner ? 0.92f : 0.1f));
    if (inner) {
        share = (1.0f - share) * pebble(noise_other(noise_scale(2.6, p), 2), &stone);
        color = vec3f_mix(color, stone, 0.8f * share);
    }
    // Air bubbles.
    noise_cell cell = sherd_noise_cell(noise_other(noise_scale(inner ? 3.7 : 2.1, p), 3));
    float radius = noise_share(cell.id, 0) < 0.3f ? 0.05f + 0.13f * noise_share(cell.id, 1) : 0.0f;
    float bubble = 1.0f - noise_ramp(0.75f * radius, radius + 0.02f, cell.distance);
    if (radius == 0.0f) bubble = 0.0f;
    return (texture_tint){vec3f_scale(1.0f - 0.62f * bubble, color), 1.0f};
}

// Veins lie along the zero surface of a noise. Returns 1 on it, falling to 0 where the noise
// reaches `width`.
static float vein(noise_place p, float width)
{
    float n = sherd_noise(p) + 0.45f * sherd_noise(noise_other(noise_scale(2.1, p), 9));
    return 1.0f - noise_ramp(0.0f, width, fabsf(n));
}

texture_tint sherd_pattern_marble(noise_place p, bool inner)
{
    noise_place slow = noise_scale(0.7, p);
    noise_place bent = p;
    bent.x += 0.55 * (double)sherd_noise_sum(noise_other(slow, 1), 3);
    bent.y += 0.55 * (double)sherd_noise_sum(noise_other(slow, 2), 3);
    bent.z += 0.55 * (double)sherd_noise_sum(noise_other(slow, 3), 3);
    float strength = noise_ramp(-0.45f, 0.35f, sherd_noise(noise_scale(0.6, p)));
    float dark = 0.78f * strength * vein(noise_scale(0.55, bent), 0.13f);
    dark += 0.38f * vein(noise_other(noise_scale(1.3, bent), 4), 0.07f) * (1.0f - strength);
    dark += 0.26f * strength * vein(noise_scale(0.55, bent), 0.55f);
    float clouds = 0.11f * sherd_noise_sum(noise_scale(0.9, bent), 3);
    // Crystal grains glitter slightly on fracture faces.
    noise_place sugar = noise_scale(38.0, p);
    float grain = inner ? 0.11f * sherd_noise(sugar) : 0.02f * sherd_noise(sugar);
    float light = 1.0f + clouds + grain;
    vec3f color = vec3f_mix(pattern_grey(light), vec3f_make(0.30f, 0.32f, 0.36f), dark);
    return (texture_tint){color, 1.0f};
}
