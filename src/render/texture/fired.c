// Patterns of glaze, unglazed ceramic and metal.
#include "render/texture/pattern.h"

texture_tint sherd_pattern_glaze(noise_place p, bool inner)
{
    (void)inner;
    // Glaze runs while it is molten, which makes its thickness uneven.
    float pool = sherd_noise_sum(noise_scale(0.35, p), 3);
    vec3f color = vec3f_make(1.0f + 0.05f * pool, 1.0f + 0.065f * pool, 1.0f + 0.09f * pool);
    // Iron spots that diffuse into the glaze from the ceramic body.
    noise_place spread = noise_other(noise_scale(1.7, p), 4);
    noise_cell cell = sherd_noise_cell(spread);
    float size = noise_share(cell.id, 0);
    float radius = size < 0.5f ? 0.05f + 0.5f * size * size : 0.0f;
    float spot = radius > 0.0f ? 1.0f - noise_ramp(0.3f * radius, radius, cell.distance) : 0.0f;
    float strength = 0.35f + 0.5f * noise_share(cell.id, 1);
    color = vec3f_mix(color, vec3f_make(0.30f, 0.20f, 0.13f), strength * spot);
    return (texture_tint){color, 1.0f + 0.25f * pool + 0.8f * spot};
}

texture_tint sherd_pattern_ceramic(noise_place p, bool inner)
{
    (void)inner;
    float clouds = 0.07f * sherd_noise_sum(noise_scale(0.5, p), 2);
    float sand =
        0.08f * sherd_noise(noise_scale(13.0, p)) + 0.07f * sherd_noise(noise_scale(31, p));
    vec3f color = pattern_grey(1.0f + clouds + sand);
    // Grains of grog (ground fired clay), light or dark. Where other grains fell out there are
    // pores.
    noise_cell cell = sherd_noise_cell(noise_scale(5.0, p));
    float radius = 0.12f + 0.22f * noise_share(cell.id, 0);
    float grain = 1.0f - noise_ramp(0.7f * radius, radius, cell.distance);
    float light = noise_share(cell.id, 1) < 0.3f ? 0.55f : 0.85f + 0.4f * noise_share(cell.id, 2);
    return (texture_tint){vec3f_scale(1.0f + grain * (light - 1.0f), color), 1.0f};
}

texture_tint sherd_pattern_metal(noise_place p, bool inner)
{
    if (inner) { // crystal grains, each a facet of its own brightness
        noise_cell cell = sherd_noise_cell(noise_scale(7.0, p));
        float facet = noise_share(cell.id, 0);
        float fine = sherd_noise(noise_scale(29.0, p));
        return (texture_tint){pattern_grey(0.68f + 0.3f * facet + 0.08f * fine),
                              0.7f + 0.6f * facet};
    }
    float smudge = sherd_noise_sum(noise_scale(0.5, p), 3);
    float brush = sherd_noise((noise_place){26.0 * p.x, 26.0 * p.y, 0.5 * p.z, p.seed});
    return (texture_tint){pattern_grey(0.98f + 0.03f * brush),
                          1.0f + 0.22f * smudge + 0.25f * brush};
}
