// The tracer and image files in builds without pictures (-DSHERD_PICTURES=OFF): each function
// returns an error.
#include "base/error.h"
#include "render/layers/cryptomatte.h"
#include "render/png/picture_note.h"

#include <sherd/layers.h>
#include <sherd/render.h>

static sherd_status refuse(const char *where, sherd_error *error)
{
    return sherd_fail(error, SHERD_ERROR_UNSUPPORTED, where,
                      "use --no-pictures, or build Sherd with -DSHERD_PICTURES=ON",
                      "this build of Sherd makes no pictures");
}

sherd_status sherd_pictures_check(sherd_error *error)
{
    return refuse("pictures", error);
}

sherd_image *sherd_render(const sherd_render_scene *scene, sherd_error *error)
{
    (void)scene;
    refuse("pictures", error);
    return NULL;
}

sherd_image *sherd_render_layers(const sherd_render_scene *scene, sherd_layers **layers,
                                 sherd_error *error)
{
    *layers = NULL;
    return sherd_render(scene, error);
}

sherd_image *sherd_image_create(int32_t width, int32_t height, sherd_error *error)
{
    (void)width, (void)height;
    refuse("image", error);
    return NULL;
}

void sherd_image_destroy(sherd_image *image)
{
    (void)image;
}

sherd_status sherd_image_write_png(const sherd_image *image, const char *path, sherd_error *error)
{
    (void)image;
    return refuse(path, error);
}

sherd_status sherd_image_write_noted(const sherd_image *image, const char *note, const char *path,
                                     sherd_error *error)
{
    (void)image, (void)note;
    return refuse(path, error);
}

// ---------------------------------------------------------------- layers

uint32_t sherd_cryptomatte_hash(const char *name)
{
    (void)name;
    return 0;
}

sherd_layer_pixel sherd_layers_pixel(const sherd_layers *layers, int32_t x, int32_t y)
{
    (void)layers, (void)x, (void)y;
    return (sherd_layer_pixel){0};
}

void sherd_layers_destroy(sherd_layers *layers)
{
    (void)layers;
}

bool sherd_exr_available(void)
{
    return false;
}

sherd_status sherd_layers_write_exr(const sherd_layers *layers, sherd_exr_pixels pixels,
                                    const char *path, sherd_error *error)
{
    (void)layers, (void)pixels;
    return refuse(path, error);
}
