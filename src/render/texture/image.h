// Looking up pictures that are laid on surfaces.
#pragma once

#include "render/vec3f.h"

#include <sherd/texture.h>

// Linear colour, between pixels; the picture repeats. v is 0 at its lower edge.
vec3f sherd_texture_image_at(const sherd_texture_image *image, double u, double v);
// Projected along the axes on faces of a normal, mixed where that is between them. One unit is the picture's width.
vec3f sherd_texture_image_projected(const sherd_texture_image *image, sherd_vec3 place,
                                    sherd_vec3 normal);
vec3f sherd_texture_image_mean(const sherd_texture_image *image);
