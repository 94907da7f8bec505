// Texture images.
#pragma once

#include "render/vec3f.h"

#include <sherd/texture.h>

// Linear colour, interpolated between pixels. The image repeats with period 1 in u and v; v is 0 at
// its lower edge.
vec3f sherd_texture_image_at(const sherd_texture_image *image, double u, double v);
// Triplanar projection: the image is projected along the three axes, and the colours are mixed by
// the direction of `normal`. One unit of `place` is the width of the image.
vec3f sherd_texture_image_projected(const sherd_texture_image *image, sherd_vec3 place,
                                    sherd_vec3 normal);
vec3f sherd_texture_image_mean(const sherd_texture_image *image);

// Reads an image from the bytes of a file. `name` is for error messages.
sherd_texture_image *sherd_texture_image_decode(const char *name, const uint8_t *bytes, size_t size,
                                                sherd_error *error);

// The bytes of the PNG or JPEG file from which the image was read, unchanged. Borrowed (size).
const uint8_t *sherd_texture_image_file(const sherd_texture_image *image, size_t *size);
