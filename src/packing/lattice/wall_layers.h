// Packs a thin curved wall layer by layer.
#pragma once

#include "packing/lattice/lattice.h"

typedef struct sherd_wall_def {
    double radius;
    double wall;     // typical thickness [m]
    sherd_vec3 seed; // a point in the middle of the wall, where the first layer starts
    size_t most;     // stop at this many centres
} sherd_wall_def;

// Appends to `centres`, which is empty. Serial: the result depends on the order. Returns false if
// memory runs short.
bool sherd_wall_layers(const sherd_shape *shape, const sherd_wall_def *def, sherd_centres *centres);
