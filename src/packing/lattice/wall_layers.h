// Packs a thin curved wall layer by layer.
#pragma once

#include "packing/lattice/lattice.h"

typedef struct sherd_wall_def {
    double radius;
    double wall;     // typical thickness [m]
    sherd_vec3 seed; // a point in the middle of the wall, where the first layer starts
    size_t most;     // stop at this many centres
    int threads;     // of hollows in the layer before; the rest depends on the order and is serial
} sherd_wall_def;

// Appends to `centres`, which is empty. Returns false if memory runs short.
bool sherd_wall_layers(const sherd_shape *shape, const sherd_wall_def *def, sherd_centres *centres);
