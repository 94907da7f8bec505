// Filling the cavities that a lattice leaves under a curved surface with more spheres.
#pragma once

#include "packing/lattice/lattice.h"

typedef struct sherd_fill_cavities_def {
    double radius;
    double overlap; // a sphere may be placed this much closer than touching, in radii
    size_t most;    // stop at this many centres
    int threads;    // 0: all
} sherd_fill_cavities_def;

// Appends to `centres`. Added one after the other: the order is the result. False when memory is short.
bool sherd_fill_cavities(const sherd_shape *shape, const sherd_fill_cavities_def *def,
                         sherd_centres *centres);
