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

// The same of a file's bytes; `name` is for errors.
sherd_texture_image *sherd_texture_image_decode(const char *name, const uint8_t *bytes, size_t size,
                                                sherd_error *error);

// The bytes that it was read from, PNG or JPEG, unchanged; borrowed  (size).
const uint8_t *sherd_texture_image_file(const sherd_texture_image *image, size_t *size);
