// The grains that a broken bond gives.
#pragma once

#include "output/dust/dust.h"

typedef struct dust_grain {
    flight launch;
    double time, landing; // of the break; the age at which it comes to rest [s]
    double radius, mass;  // [m], [kg]
    int32_t fragment, body;
} dust_grain;

// What a scene says of dust and of what it flies in.
typedef struct dust_air {
    const sherd_scene *scene;
    const double *size; // of the largest grains, by body [m]; 0: none of this body
    sherd_vec3 gravity;
    int plane_count;
    const flight_plane *planes; // at rest
} dust_air;

enum { DUST_MOST_GRAINS = 1001 }; // of a bond

// How many, at most DUST_MOST_GRAINS; written to `grains`.
int sherd_dust_grains(const dust_air *air, const sherd_run_model *model,
                      const sherd_run_frame *frame, const sherd_break *event,
                      dust_grain grains[DUST_MOST_GRAINS]);
