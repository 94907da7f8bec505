// The grains that a broken bond ejects.
#pragma once

#include "output/dust/dust.h"

typedef struct dust_grain {
    flight launch;
    double time, landing; // time of the break; age at which the grain hits a plane [s]
    double radius, mass;  // [m], [kg]
    int32_t fragment, body;
} dust_grain;

// The scene's dust settings and surroundings.
typedef struct dust_air {
    const sherd_scene *scene;
    const double *size; // diameter of the largest grains, by body [m]; 0: the body makes none
    sherd_vec3 gravity;
    int plane_count;
    const flight_plane *planes; // planes that do not move
} dust_air;

enum { DUST_MAX_GRAINS = 1001 }; // per bond

// Writes the grains of a bond to `grains` and returns their number, at most DUST_MAX_GRAINS.
int sherd_dust_grains(const dust_air *air, const sherd_run_model *model,
                      const sherd_run_frame *frame, const sherd_break *event,
                      dust_grain grains[DUST_MAX_GRAINS]);
