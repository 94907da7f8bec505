// The layers of a picture (normals, depth, Cryptomatte) while it is traced.
#pragma once

#include "render/film.h"
#include "render/layers/cryptomatte.h"
#include "render/tracer.h"

struct sherd_layers {
    int32_t width, height;
    sherd_layer_pixel *pixels; // rows from the top (height x width)
    int count;                 // of geometries, in the tracer's order
    const char **objects,
        **materials; // names of each, stored in own_text (count + 1: the ground's are last)
    uint32_t *object_ids, *material_ids; // hashes of the names
    char *own_text;
};

// Empty layers for a scene. NULL with SHERD_ERROR_MEMORY.
sherd_layers *sherd_layers_create(const sherd_render_scene *scene, sherd_error *error);

// Sums over the samples of one pixel; all zeros at the start.
enum { LAYER_MOST = 32 }; // largest number of distinct ids in one pixel
typedef struct layer_tally {
    uint32_t id[LAYER_MOST];
    int hits[LAYER_MOST];
    int count;
} layer_tally;

typedef struct layer_samples {
    layer_tally objects, materials;
    vec3f normal;
    float nearest; // smallest depth [view units]; undefined before the first hit
    int hits;
} layer_samples;

// Adds the surface that a camera ray hits. `forward`: unit vector of the camera's direction.
void sherd_layers_add(const sherd_layers *layers, const sherd_tracer *tracer, const tracer_ray *ray,
                      vec3f forward, layer_samples *samples);

// Sets a pixel from `taken` samples, without its radiance.
void sherd_layers_set(sherd_layers *layers, size_t pixel, const sherd_tracer *tracer,
                      const layer_samples *samples, int taken);

// Copies the radiance, times the exposure, from the finished film.
void sherd_layers_develop(sherd_layers *layers, const sherd_film *film, float exposure);
