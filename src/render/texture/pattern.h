// The solid patterns: what each makes of a surface's colour at a place.
#pragma once

#include "render/texture/noise.h"

#include <stdbool.h>

// Factors on colour and roughness; 1 is plain.
typedef struct texture_tint {
    vec3f color;
    float roughness;
} texture_tint;

// `p`: where the point was at rest, in sizes of the texture's features, z along the grain. `inner`: it broke there.
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
