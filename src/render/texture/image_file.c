#include "render/texture/image_file.h"

#include "base/error.h"
#include "base/memory.h"
#include "render/texture/image_jpeg.h"

#include <string.h>

#if defined(SHERD_PICTURES)
#include <png.h>
#endif

sherd_status sherd_texture_make_room(const char *path, uint32_t width, uint32_t height,
                                     texture_pixels *pixels, sherd_error *error)
{
    if (width < 1 || height < 1 || width > TEXTURE_LARGEST_SIDE || height > TEXTURE_LARGEST_SIDE)
        return sherd_fail(error, SHERD_ERROR_INPUT, path, "make the picture smaller",
                          "is %u x %u pixels: textures have 1 to %d a side", width, height,
                          TEXTURE_LARGEST_SIDE);
    *pixels = (texture_pixels){(int32_t)width, (int32_t)height,
                               sherd_alloc((size_t)width * (size_t)height, 3)};
    return pixels->bytes != NULL ? SHERD_OK : sherd_fail_memory(error, "texture");
}

#if defined(SHERD_PICTURES)

static sherd_status fail_damaged(const char *path, const char *why, sherd_error *error)
{
    return sherd_fail(error, SHERD_ERROR_INPUT, path, "save the picture again as PNG",
                      "is damaged: %s", why);
}

static sherd_status read_png(const char *path, const unsigned char *bytes, size_t size,
                             texture_pixels *pixels, sherd_error *error)
{
    png_image png = {.version = PNG_IMAGE_VERSION};
    if (!png_image_begin_read_from_memory(&png, bytes, size))
        return fail_damaged(path, png.message, error);
    png.format = PNG_FORMAT_RGB;
    sherd_status status = sherd_texture_make_room(path, png.width, png.height, pixels, error);
    // Transparent pixels are blended with white.
    static const png_color white = {255, 255, 255};
    if (status == SHERD_OK && !png_image_finish_read(&png, &white, pixels->bytes, 0, NULL)) {
        status = fail_damaged(path, png.message, error);
        sherd_free(pixels->bytes);
        pixels->bytes = NULL;
    }
    png_image_free(&png);
    return status;
}

#define read_jpeg sherd_texture_read_jpeg

#else

// Builds without pictures never read pixels: one white pixel stands for the image. Exports copy the
// file unchanged.
static sherd_status read_png(const char *path, const unsigned char *bytes, size_t size,
                             texture_pixels *pixels, sherd_error *error)
{
    (void)bytes, (void)size;
    sherd_status status = sherd_texture_make_room(path, 1, 1, pixels, error);
    if (status == SHERD_OK) memset(pixels->bytes, 255, 3);
    return status;
}

static sherd_status read_jpeg(const char *path, const unsigned char *bytes, size_t size,
                              texture_pixels *pixels, sherd_error *error)
{
    return read_png(path, bytes, size, pixels, error);
}

#endif

sherd_status sherd_texture_read_pixels(const char *path, const uint8_t *bytes, size_t size,
                                       texture_pixels *pixels, sherd_error *error)
{
    static const unsigned char PNG[] = {0x89, 'P', 'N', 'G'}, JPEG[] = {0xff, 0xd8, 0xff};
    if (size >= sizeof PNG && memcmp(bytes, PNG, sizeof PNG) == 0)
        return read_png(path, bytes, size, pixels, error);
    if (size >= sizeof JPEG && memcmp(bytes, JPEG, sizeof JPEG) == 0)
        return read_jpeg(path, bytes, size, pixels, error);
    return sherd_fail(error, SHERD_ERROR_INPUT, path, "textures are PNG or JPEG files",
                      "is neither PNG nor JPEG");
}
