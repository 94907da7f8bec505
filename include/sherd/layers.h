// A picture in layers for compositing, as OpenEXR files: light, normals, depth, and Cryptomatte's ids of objects and
// materials.                                                                                    docs/guide/textures.md
//
//     sherd_layers *layers;
//     sherd_image *image = sherd_render_layers(&scene, &layers, &error);
//     sherd_layers_write_exr(layers, SHERD_EXR_HALF, "frame.exr", &error);
//     sherd_layers_destroy(layers);
#pragma once

#include <sherd/render.h>

#include <stdbool.h>

typedef struct sherd_layers sherd_layers;

// sherd_render, and *layers (owned; NULL on failure).
SHERD_API sherd_image *sherd_render_layers(const sherd_render_scene *scene, sherd_layers **layers,
                                           sherd_error *error);
SHERD_API void sherd_layers_destroy(sherd_layers *layers); // NULL is fine

// Ranks of ids in a pixel: those of the six that cover most of it.
enum { SHERD_LAYER_RANKS = 6 };

// What two ids, of objects and of materials, cover of a pixel, most first; unused ones are 0.
typedef struct sherd_layer_ids {
    uint32_t id[SHERD_LAYER_RANKS]; // sherd_cryptomatte_hash of the name
    float coverage
        [SHERD_LAYER_RANKS]; // shares of the pixel; their sum is alpha unless there are more ids
} sherd_layer_ids;

typedef struct sherd_layer_pixel {
    float r, g, b,
        alpha; // light times exposure, backdrop included; share covered by anything but the backdrop
    float normal[3]; // unit, towards the camera, world axes; 0 on the backdrop
    float
        depth; // along the view, of the nearest of the pixel's samples [m]; INFINITY on the backdrop
    sherd_layer_ids object, material;
} sherd_layer_pixel;

// x from the left, y from the top; zero-filled out of the picture.
SHERD_API sherd_layer_pixel sherd_layers_pixel(const sherd_layers *layers, int32_t x, int32_t y);

typedef enum sherd_exr_pixels {
    SHERD_EXR_NONE = 0, // no file
    SHERD_EXR_HALF,     // light and normals 16 bits wide; depth and ids have 32 always
    SHERD_EXR_FLOAT,
} sherd_exr_pixels;

// Whether this build can write EXR files.
SHERD_API bool sherd_exr_available(void);

// Channels R G B A, N.X N.Y N.Z, Z, CryptoObject00 to 02 and CryptoMaterial00 to 02 (r g b a each), with manifests.
// Written to a temporary name and renamed. SHERD_ERROR_UNSUPPORTED without OpenEXR, SHERD_ERROR_IO.
SHERD_API sherd_status sherd_layers_write_exr(const sherd_layers *layers, sherd_exr_pixels pixels,
                                              const char *path, sherd_error *error);
