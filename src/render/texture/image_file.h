// Reads image files into arrays of bytes.
#pragma once

#include <sherd/error.h>

#include <stddef.h>
#include <stdint.h>

typedef struct texture_pixels {
    int32_t width, height;
    uint8_t *bytes; // sRGB r, g, b; rows from the top; owned (height x width x 3)
} texture_pixels;

enum { TEXTURE_LARGEST_SIDE = 16384 };

// Reads PNG or JPEG, which is recognised from the content. `path` is for error messages.
sherd_status sherd_texture_read_pixels(const char *path, const uint8_t *bytes, size_t size,
                                       texture_pixels *pixels, sherd_error *error);
