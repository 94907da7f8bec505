// Textures change the colour and roughness of surfaces that rays hit.
#pragma once

#include "render/coat.h"

#include <sherd/texture.h>

#include <stdbool.h>

// A texture prepared for lookup. All zeros: plain.
typedef struct texture_map {
    const sherd_texture *texture; // borrowed
    double per_size;              // 1 / size [1/m]
    // axes of the pattern in the rest configuration; the last is along the grain
    sherd_vec3 axes[3];
    vec3f mean; // mean factor on the colour over the whole texture
} texture_map;

// Prepares a texture for lookup. NULL, or a plain texture without an image, gives a map that
// changes nothing.
texture_map sherd_texture_open(const sherd_texture *texture);

static inline bool texture_is_plain(const texture_map *map)
{
    return map->texture == NULL;
}

// A point on a body, for texture lookup.
typedef struct texture_place {
    sherd_vec3 rest;   // position in the rest configuration [m]
    sherd_vec3 normal; // of the face, in the rest configuration
    bool has_uv;
    float u, v; // texture coordinates: (0, 0) is the lower left corner of the image, v points up
    bool inner;
} texture_place;

// Multiplies the surface's colour and roughness by those of the texture at a point.
void sherd_texture_apply(const texture_map *map, const texture_place *place, coat_surface *surface);
// Multiplies the colour by the texture's mean: for indirect light, where details are not visible.
void sherd_texture_apply_mean(const texture_map *map, coat_surface *surface);
