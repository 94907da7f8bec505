// Solid (three-dimensional) procedural textures.
#pragma once

#include "render/texture/noise.h"

#include <stdbool.h>

// Factors on the surface's colour and roughness; 1 changes nothing.
typedef struct texture_tint {
    vec3f color;
    float roughness;
} texture_tint;

// `p`: position in the rest configuration, in units of the texture's feature size, with z along the
// grain. `inner`: the point is on a fracture face.
texture_tint sherd_pattern_wood(noise_place p, bool inner);
texture_tint sherd_pattern_concrete(noise_place p, bool inner);
texture_tint sherd_pattern_marble(noise_place p, bool inner);
texture_tint sherd_pattern_glaze(noise_place p, bool inner);
texture_tint sherd_pattern_ceramic(noise_place p, bool inner);
texture_tint sherd_pattern_metal(noise_place p, bool inner);

static inline vec3f pattern_grey(float x)
{
    return vec3f_make(x, x, x);
}
