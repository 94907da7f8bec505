// Textures: how colour and roughness vary over a body. Solid ones fill space and are looked up
// where a point of a
// surface was at rest, so that they move with fragments and run on over cracks.             docs/guide/textures.md
#pragma once

#include <sherd/error.h>
#include <sherd/types.h>

#include <stddef.h>

// Enumerator, word in scenes, and what it shows. To add one: a row here and in
// src/render/texture/texture.c.
#define SHERD_TEXTURES(ROW)                                                                        \
    ROW(PLAIN, plain, "one colour with a glossy coat")                                             \
    ROW(WOOD, wood, "rings, fibres and pores along the material's grain; `size`: width of a ring") \
    ROW(CONCRETE, concrete,                                                                        \
        "cement with pores, stones on broken faces; `size`: distance of stones")                   \
    ROW(MARBLE, marble, "clouds and veins, polished outside; `size`: distance of veins")           \
    ROW(GLAZE, glaze,                                                                              \
        "glossy, with iron spots; broken faces are `ceramic`; `size`: distance of large spots")    \
    ROW(CERAMIC, ceramic, "bare fired clay with grains and pores; `size`: five pore distances")    \
    ROW(METAL, metal,                                                                              \
        "brushed along the material's grain, crystals on broken faces; `size`: width of a smudge")

#define SHERD_TEXTURE_ENUMERATOR(NAME, word, doc) SHERD_TEXTURE_##NAME,
// A texture.
typedef enum sherd_texture_kind {
    SHERD_TEXTURES(SHERD_TEXTURE_ENUMERATOR) SHERD_TEXTURE_COUNT, // number of textures
} sherd_texture_kind;

// A picture to lay on surfaces, read from a file.
typedef struct sherd_texture_image sherd_texture_image;

// Reads a PNG or JPEG file, detected by content. Free it with sherd_texture_image_destroy. NULL
// with SHERD_ERROR_IO (can't be read), SHERD_ERROR_INPUT (neither, damaged, more than 16384 pixels
// wide or high), SHERD_ERROR_UNSUPPORTED (JPEG, in a build without libjpeg) or SHERD_ERROR_MEMORY;
// `where` is the path.
SHERD_API sherd_texture_image *sherd_texture_image_read(const char *path, sherd_error *error);
// Destroys a picture. NULL is allowed.
SHERD_API void sherd_texture_image_destroy(sherd_texture_image *image);

// Zero-filled is plain.
typedef struct sherd_texture {
    // PLAIN, 0: one colour
    sherd_texture_kind kind;
    double size;      // of its features [m], > 0; any for plain ones
    sherd_vec3 grain; // along wood's fibres and metal's brush, in the rest frame, any length; 0: x
    double contrast;  // [0, 4]: 0 plain, 1 as the real thing
    // of its random features
    uint64_t seed;
    // Takes the kind's place in colour. By the mesh's texture coordinates, or, where it has none,
    // projected along the axes of the rest frame, `size` wide. Borrowed, may be NULL.
    const sherd_texture_image *image;
} sherd_texture;

// What a kind looks like, outside and where it broke, unless a scene says otherwise.
typedef struct sherd_texture_look {
    const char *word, *doc;   // name in scenes, one line for people; static
    uint32_t color;           // 0xRRGGBB, sRGB
    double roughness, coat;   // of sherd_render_material
    double metal;             // [0, 1]
    double share;             // its size, of the cube root of a body's bounding box
    sherd_texture_kind inner; // where it broke
} sherd_texture_look;

// Returns the look of a texture; zero-filled, word NULL, if there is no such texture.
SHERD_API sherd_texture_look sherd_texture_describe(sherd_texture_kind kind);
