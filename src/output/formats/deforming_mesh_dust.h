// Dust in a mesh with moving vertices: octahedra, one part per body that releases grains. Until its
// bond breaks a grain is a single point at the future break.
#pragma once

#include "output/dust/dust.h"

#include <sherd/mesh.h>

// Largest number of grains; beyond it every second, third ... is exported. Each has 6 vertices in
// every frame.
enum { DEFORMING_MAX_GRAINS = 20000 };

typedef struct deforming_dust {
    sherd_dust *dust;                 // NULL: none
    int64_t count;                    // number of exported grains
    const struct dust_grain **grains; // sorted by body
    int64_t *first;                   // index of each body's first grain (bodies + 1)
} deforming_dust;

// Collects all grains up to frame `last`. Release in any case; scene and model must outlive it.
sherd_status sherd_deforming_dust_create(deforming_dust *d, const sherd_scene *scene,
                                         const sherd_run_model *model, sherd_run *run, int64_t last,
                                         sherd_error *error);
void sherd_deforming_dust_release(deforming_dust *d);

// A body's grains at a time; NULL without an error if it has none.
sherd_mesh *sherd_deforming_dust_mesh(const deforming_dust *d, int body, double time,
                                      sherd_error *error);
