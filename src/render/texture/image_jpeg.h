// Reads JPEG files with libjpeg, if the library is built with it.
#pragma once

#include "render/texture/image_file.h"

#include <stddef.h>

sherd_status sherd_texture_read_jpeg(const char *path, const unsigned char *bytes, size_t size,
                                     texture_pixels *pixels, sherd_error *error);

// Allocates the pixels of an image, or fails if its size is out of range.
sherd_status sherd_texture_make_room(const char *path, uint32_t width, uint32_t height,
                                     texture_pixels *pixels, sherd_error *error);
