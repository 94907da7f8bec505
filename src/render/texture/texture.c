#include "render/texture/texture.h"

#include "math/vec3.h"
#include "render/texture/image.h"
#include "render/texture/pattern.h"

#include <sherd/render.h>

typedef texture_tint (*pattern)(noise_place, bool);

typedef struct texture_row {
    sherd_texture_look look;
    pattern pattern; // NULL for a plain surface
} texture_row;

#define SHERD_TEXTURE_WORD(NAME, word, doc) {#word, doc},
static const struct {
    const char *word, *doc;
} WORDS[] = {SHERD_TEXTURES(SHERD_TEXTURE_WORD)};

// Word and doc (filled in below), colour, roughness, coat, metal, feature size relative to the
// body, texture of fracture faces.
static const texture_row ROWS[SHERD_TEXTURE_COUNT] = {
    [SHERD_TEXTURE_PLAIN] = {{NULL, NULL, 0xccc7bd, 0.15, 1.0, 0.0, 0.1, SHERD_TEXTURE_PLAIN},
                             NULL},
    [SHERD_TEXTURE_WOOD] = {{NULL, NULL, 0xc09262, 0.42, 0.4, 0.0, 0.07, SHERD_TEXTURE_WOOD},
                            sherd_pattern_wood},
    [SHERD_TEXTURE_CONCRETE] = {{NULL, NULL, 0xa3a099, 0.9, 0.0, 0.0, 0.13, SHERD_TEXTURE_CONCRETE},
                                sherd_pattern_concrete},
    [SHERD_TEXTURE_MARBLE] = {{NULL, NULL, 0xdedad3, 0.14, 0.9, 0.0, 0.4, SHERD_TEXTURE_MARBLE},
                              sherd_pattern_marble},
    [SHERD_TEXTURE_GLAZE] = {{NULL, NULL, 0xe4ded0, 0.1, 1.0, 0.0, 0.09, SHERD_TEXTURE_CERAMIC},
                             sherd_pattern_glaze},
    [SHERD_TEXTURE_CERAMIC] = {{NULL, NULL, 0xb9805c, 0.9, 0.0, 0.0, 0.09, SHERD_TEXTURE_CERAMIC},
                               sherd_pattern_ceramic},
    [SHERD_TEXTURE_METAL] = {{NULL, NULL, 0xc4c6c9, 0.32, 0.0, 1.0, 0.3, SHERD_TEXTURE_METAL},
                             sherd_pattern_metal},
};

sherd_texture_look sherd_texture_describe(sherd_texture_kind kind)
{
    if (kind < 0 || kind >= SHERD_TEXTURE_COUNT) return (sherd_texture_look){.word = NULL};
    sherd_texture_look look = ROWS[kind].look;
    look.word = WORDS[kind].word, look.doc = WORDS[kind].doc;
    return look;
}

// Axes of the pattern: the grain, and two directions perpendicular to it that depend on the grain
// only.
static void find_axes(sherd_vec3 grain, sherd_vec3 axes[3])
{
    sherd_vec3 along = vec3_length(grain) > 0.0 ? vec3_normalize(grain) : vec3(1.0, 0.0, 0.0);
    // Like a flat-sawn board: upward faces are nearly tangential to the growth rings.
    sherd_vec3 side = fabs(along.z) < 0.9 ? vec3(0.0, 0.0, 1.0) : vec3(0.0, 1.0, 0.0);
    axes[2] = along;
    axes[0] = vec3_normalize(vec3_cross(side, along));
    axes[1] = vec3_cross(along, axes[0]);
}

static vec3f factor_at(const texture_map *map, noise_place p, bool inner, float *roughness)
{
    const sherd_texture *t = map->texture;
    texture_tint tint = ROWS[t->kind].pattern(p, inner);
    float contrast = (float)t->contrast;
    *roughness = float_max(1.0f + contrast * (tint.roughness - 1.0f), 0.2f);
    vec3f color = vec3f_mix(pattern_grey(1.0f), tint.color, contrast);
    return vec3f_make(float_max(color.x, 0.0f), float_max(color.y, 0.0f), float_max(color.z, 0.0f));
}

// Mean factor on the colour, from samples of the pattern far from each other.
static vec3f find_mean(const texture_map *map)
{
    enum { PLACES = 64 };
    vec3f sum = {0.0f, 0.0f, 0.0f};
    float roughness;
    for (int k = 0; k < PLACES; ++k) {
        noise_place p = {3.71 * k, 5.17 * (k % 8), 2.39 * (k / 8), (uint32_t)map->texture->seed};
        sum = vec3f_add(sum, factor_at(map, p, k % 2 != 0, &roughness));
    }
    return vec3f_scale(1.0f / PLACES, sum);
}

texture_map sherd_texture_open(const sherd_texture *texture)
{
    texture_map map = {.mean = {1.0f, 1.0f, 1.0f}};
    if (texture == NULL) return map;
    bool patterned = ROWS[texture->kind].pattern != NULL && texture->contrast > 0.0;
    if (!patterned && texture->image == NULL) return map;
    map.texture = texture;
    map.per_size = 1.0 / texture->size;
    find_axes(texture->grain, map.axes);
    map.mean = texture->image != NULL ? sherd_texture_image_mean(texture->image) : find_mean(&map);
    return map;
}

void sherd_texture_apply(const texture_map *map, const texture_place *place, coat_surface *surface)
{
    const sherd_texture *t = map->texture;
    sherd_vec3 scaled = vec3_scale(map->per_size, place->rest);
    if (t->image != NULL) {
        vec3f color = place->has_uv
                          ? sherd_texture_image_at(t->image, (double)place->u, (double)place->v)
                          : sherd_texture_image_projected(t->image, scaled, place->normal);
        surface->albedo = vec3f_mul(surface->albedo, color);
        return;
    }
    noise_place p = {vec3_dot(scaled, map->axes[0]), vec3_dot(scaled, map->axes[1]),
                     vec3_dot(scaled, map->axes[2]), (uint32_t)t->seed};
    float roughness;
    vec3f factor = factor_at(map, p, place->inner, &roughness);
    vec3f color = vec3f_mul(surface->albedo, factor);
    surface->albedo =
        vec3f_make(float_min(color.x, 1.0f), float_min(color.y, 1.0f), float_min(color.z, 1.0f));
    surface->roughness = float_min(surface->roughness * roughness, 1.0f);
}

void sherd_texture_apply_mean(const texture_map *map, coat_surface *surface)
{
    surface->albedo = vec3f_mul(surface->albedo, map->mean);
}
