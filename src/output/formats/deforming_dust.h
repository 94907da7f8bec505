// Dust in a mesh whose vertices move: a part of octahedra for each body that grains came from. Until its bond breaks a grain
// is a point where that will happen.
#pragma once

#include "output/dust/dust.h"

#include <sherd/mesh.h>

// Of more grains every second, third ... is there: 6 vertices each, in every frame.
enum { DEFORMING_MOST_GRAINS = 20000 };

typedef struct deforming_dust {
    sherd_dust *dust;                 // NULL: none
    int64_t count;                    // grains that are there
    const struct dust_grain **grains; // by body
    int64_t *first;                   // of each body's  (bodies + 1)
} deforming_dust;

// All that the run has up to frame `last`. Release in any case; scene and model must outlive it.
sherd_status sherd_deforming_dust_create(deforming_dust *d, const sherd_scene *scene,
                                         const sherd_run_model *model, sherd_run *run, int64_t last,
                                         sherd_error *error);
void sherd_deforming_dust_release(deforming_dust *d);

// A body's grains at a time; NULL without an error where it has none.
sherd_mesh *sherd_deforming_dust_mesh(const deforming_dust *d, int body, double time,
                                      sherd_error *error);
