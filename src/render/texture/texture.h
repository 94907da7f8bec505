// What textures make of the surface that a ray hits.
#pragma once

#include "render/coat.h"

#include <sherd/texture.h>

#include <stdbool.h>

// Prepared for looking up; zero-filled is plain.
typedef struct texture_map {
    const sherd_texture *texture; // borrowed
    double per_size;              // 1 / size [1/m]
    sherd_vec3 axes[3];           // of the pattern, in the rest frame; the last along the grain
    vec3f mean;                   // factor on the colour, of the whole
} texture_map;

// NULL texture or a plain one without an image: a map that changes nothing.
texture_map sherd_texture_open(const sherd_texture *texture);

static inline bool texture_is_plain(const texture_map *map)
{
    return map->texture == NULL;
}

// Where on its body a point is.
typedef struct texture_place {
    sherd_vec3 rest;   // [m]
    sherd_vec3 normal; // of the face, at rest
    bool has_uv;
    float u, v; // upwards, from the picture's lower left corner
    bool inner;
} texture_place;

// Changes the surface's colour and roughness to those of a place.
void sherd_texture_apply(const texture_map *map, const texture_place *place, coat_surface *surface);
// To their mean: for light that comes from there, where details don't show.
void sherd_texture_apply_mean(const texture_map *map, coat_surface *surface);
