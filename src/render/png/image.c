// Images in memory and as PNG.
#include <sherd/file.h>
#include <sherd/render.h>

#include "base/error.h"
#include "base/memory.h"
#include "render/png/picture_note.h"

#include <png.h>
#include <string.h>

enum { LARGEST_SIDE = 16384 };

sherd_image *sherd_image_create(int32_t width, int32_t height, sherd_error *error)
{
    if (width < 1 || height < 1 || width > LARGEST_SIDE || height > LARGEST_SIDE) {
        sherd_fail(error, SHERD_ERROR_INPUT, "image", NULL,
                   "width and height must lie in [1, %d], got %d x %d", LARGEST_SIDE, width,
                   height);
        return NULL;
    }
    sherd_image *image = sherd_alloc(1, sizeof *image);
    uint8_t *pixels = sherd_alloc((size_t)width * (size_t)height, 3);
    if (image == NULL || pixels == NULL) {
        sherd_free(image);
        sherd_free(pixels);
        sherd_fail_memory(error, "image");
        return NULL;
    }
    *image = (sherd_image){width, height, pixels};
    return image;
}

void sherd_image_destroy(sherd_image *image)
{
    if (image == NULL) return;
    sherd_free(image->pixels);
    sherd_free(image);
}

// The picture as a PNG file's bytes; NULL with an error. Freed by the caller.
static void *encode(const sherd_image *image, size_t *size, sherd_error *error)
{
    png_image png = {.version = PNG_IMAGE_VERSION,
                     .width = (png_uint_32)image->width,
                     .height = (png_uint_32)image->height,
                     .format = PNG_FORMAT_RGB,
                     .flags = PNG_IMAGE_FLAG_FAST};
    *size = PNG_IMAGE_PNG_SIZE_MAX(png);
    void *bytes = sherd_alloc(*size, 1);
    if (bytes == NULL) {
        sherd_fail_memory(error, "PNG file");
        return NULL;
    }
    if (!png_image_write_to_memory(&png, bytes, size, 0, image->pixels, 0, NULL)) {
        sherd_fail(error, SHERD_ERROR_UNSUPPORTED, "PNG", NULL, "libpng: %s", png.message);
        png_image_free(&png);
        sherd_free(bytes);
        return NULL;
    }
    return bytes;
}

sherd_status sherd_image_write_png(const sherd_image *image, const char *path, sherd_error *error)
{
    return sherd_image_write_noted(image, NULL, path, error);
}

sherd_status sherd_image_write_noted(const sherd_image *image, const char *note, const char *path,
                                     sherd_error *error)
{
    size_t size;
    void *bytes = encode(image, &size, error);
    if (bytes == NULL) return error != NULL ? error->status : SHERD_ERROR_MEMORY;
    void *noted = note != NULL ? sherd_picture_note_add(bytes, note, &size) : NULL;
    if (note != NULL) sherd_free(bytes), bytes = noted;
    if (bytes == NULL) return sherd_fail_memory(error, "PNG file");
    sherd_status status = sherd_file_write(path, bytes, size, error);
    sherd_free(bytes);
    return status;
}
