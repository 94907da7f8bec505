// JPEG files by libjpeg, where the library was built with it.
#pragma once

#include "render/texture/image_file.h"

#include <stddef.h>

sherd_status sherd_texture_read_jpeg(const char *path, const unsigned char *bytes, size_t size,
                                     texture_pixels *pixels, sherd_error *error);

// Room for a picture, or an error about its size.
sherd_status sherd_texture_make_room(const char *path, uint32_t width, uint32_t height,
                                     texture_pixels *pixels, sherd_error *error);
