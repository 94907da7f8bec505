// A picture in layers for compositing, as OpenEXR files: light, normals, depth, and Cryptomatte's
// ids of objects and
// materials.                                                                                    docs/guide/textures.md
//
//     sherd_layers *layers;
//     sherd_image *image = sherd_render_layers(&scene, &layers, &error);
//     sherd_layers_write_exr(layers, SHERD_EXR_HALF, "frame.exr", &error);
//     sherd_layers_destroy(layers);
#pragma once

#include <sherd/render.h>

#include <stdbool.h>

// Layers of a picture; opaque.
typedef struct sherd_layers sherd_layers;

// Renders a scene as sherd_render does, and its layers to *layers (NULL on failure); free them with
// sherd_layers_destroy. Errors as of sherd_render.
SHERD_API sherd_image *sherd_render_layers(const sherd_render_scene *scene, sherd_layers **layers,
                                           sherd_error *error);
// Destroys the layers. NULL is allowed.
SHERD_API void sherd_layers_destroy(sherd_layers *layers);

// Number of ids per pixel: those that cover most of it.
enum { SHERD_LAYER_RANKS = 6 };

// Ids in a pixel and how much of it each covers, largest first; unused ones are 0.
typedef struct sherd_layer_ids {
    uint32_t id[SHERD_LAYER_RANKS]; // sherd_cryptomatte_hash of the name
    // Fractions of the pixel; their sum is alpha unless there are more ids.
    float coverage[SHERD_LAYER_RANKS];
} sherd_layer_ids;

// All layers of one pixel.
typedef struct sherd_layer_pixel {
    // Radiance times exposure, backdrop included; fraction covered by anything but the backdrop.
    float r, g, b, alpha;
    float normal[3]; // unit, towards the camera, world axes; 0 on the backdrop
    // Depth along the view of the nearest sample [m]; INFINITY on the backdrop.
    float depth;
    // ids of objects and of materials
    sherd_layer_ids object, material;
} sherd_layer_pixel;

// Returns a pixel, x from the left, y from the top; zero-filled outside the picture.
SHERD_API sherd_layer_pixel sherd_layers_pixel(const sherd_layers *layers, int32_t x, int32_t y);

// Precision of an OpenEXR file.
typedef enum sherd_exr_pixels {
    SHERD_EXR_NONE = 0, // no file
    SHERD_EXR_HALF,     // light and normals 16 bits wide; depth and ids have 32 always
    // all channels 32 bits wide
    SHERD_EXR_FLOAT,
} sherd_exr_pixels;

// Returns true if this build can write EXR files.
SHERD_API bool sherd_exr_available(void);

// Writes an OpenEXR file with the channels R G B A, N.X N.Y N.Z, Z, CryptoObject00 to 02 and
// CryptoMaterial00 to 02 (r g b a each), with manifests. It is written under a temporary name and
// renamed. SHERD_ERROR_UNSUPPORTED without OpenEXR, SHERD_ERROR_IO.
SHERD_API sherd_status sherd_layers_write_exr(const sherd_layers *layers, sherd_exr_pixels pixels,
                                              const char *path, sherd_error *error);
