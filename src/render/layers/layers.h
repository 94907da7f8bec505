// What a picture's layers collect while it is traced.
#pragma once

#include "render/film.h"
#include "render/layers/cryptomatte.h"
#include "render/tracer.h"

struct sherd_layers {
    int32_t width, height;
    sherd_layer_pixel *pixels; // rows from the top (height x width)
    int count;                 // of geometries, in the tracer's order
    const char **objects,
        **materials; // names of each; own_text holds them (count + 1: the ground's last)
    uint32_t *object_ids, *material_ids; // their hashes
    char *own_text;
};

// Empty layers for a scene. NULL with SHERD_ERROR_MEMORY.
sherd_layers *sherd_layers_create(const sherd_render_scene *scene, sherd_error *error);

// Samples of one pixel on their way into it; zero-filled is none.
enum { LAYER_MOST = 32 }; // ids told apart in one pixel
typedef struct layer_tally {
    uint32_t id[LAYER_MOST];
    int hits[LAYER_MOST];
    int count;
} layer_tally;

typedef struct layer_samples {
    layer_tally objects, materials;
    vec3f normal;
    float nearest; // in view units; 0: none yet
    int hits;
} layer_samples;

// Adds the surface that a camera's ray meets. `forward`: unit, where the camera looks.
void sherd_layers_add(const sherd_layers *layers, const sherd_tracer *tracer, const tracer_ray *ray,
                      vec3f forward, layer_samples *samples);

// The pixel of `taken` samples, without its light.
void sherd_layers_set(sherd_layers *layers, size_t pixel, const sherd_tracer *tracer,
                      const layer_samples *samples, int taken);

// Light from the finished film.
void sherd_layers_develop(sherd_layers *layers, const sherd_film *film, float exposure);
