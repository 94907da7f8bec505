// Dust in pictures: spheres with the colour of the body's interior.
#pragma once

#include "output/dust/dust.h"

#include <sherd/render.h>

typedef struct sherd_dust_spheres {
    sherd_dust_view view;
    float *colors;
    sherd_render_spheres batch; // count 0: there is none
} sherd_dust_spheres;

// The grains at a given time. Free in any case.
sherd_status sherd_dust_spheres_make(sherd_dust_spheres *spheres, const sherd_scene *scene,
                                     const sherd_dust *dust, double time, sherd_error *error);
void sherd_dust_spheres_free(sherd_dust_spheres *spheres);
