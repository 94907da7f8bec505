// Images in memory and as PNG.
#include <sherd/render.h>

#include "base/error.h"
#include "base/memory.h"

#include <errno.h>
#include <png.h>
#include <stdio.h>
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

static sherd_status fail_file(const char *path, const char *action, int reason, sherd_error *error)
{
    return sherd_fail(error, SHERD_ERROR_IO, path,
                      "check that the folder exists, may be written to and has room",
                      "can't %s: %s", action, strerror(reason));
}

static sherd_status write_bytes(const char *path, const void *bytes, size_t size,
                                sherd_error *error)
{
    FILE *file = fopen(path, "wb");
    if (file == NULL) return fail_file(path, "create file", errno, error);
    int failed = fwrite(bytes, 1, size, file) != size || fflush(file) != 0 ? errno : 0;
    if (fclose(file) != 0 && failed == 0) failed = errno;
    if (failed == 0) return SHERD_OK;
    remove(path);
    return fail_file(path, "write", failed, error);
}

sherd_status sherd_image_write_png(const sherd_image *image, const char *path, sherd_error *error)
{
    enum { PATH_SIZE = 4096 };
    char temporary[PATH_SIZE];
    if (snprintf(temporary, sizeof temporary, "%s.part", path) >= (int)sizeof temporary)
        return fail_file(path, "create file", ENAMETOOLONG, error);
    size_t size;
    void *bytes = encode(image, &size, error);
    if (bytes == NULL) return error != NULL ? error->status : SHERD_ERROR_MEMORY;
    sherd_status status = write_bytes(temporary, bytes, size, error);
    sherd_free(bytes);
    if (status == SHERD_OK && rename(temporary, path) != 0) {
        status = fail_file(path, "rename the finished file", errno, error);
        remove(temporary);
    }
    return status;
}
