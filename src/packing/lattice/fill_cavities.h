// Fills the cavities that a lattice leaves under a curved surface with more spheres.
#pragma once

#include "packing/lattice/lattice.h"

typedef struct sherd_fill_cavities_def {
    double radius;
    double overlap; // accepted overlap of a new sphere, in radii
    size_t most;    // stop at this many centres
    int threads;    // 0: all
} sherd_fill_cavities_def;

// Appends to `centres`, one after the other: the result depends on the order. Returns false if
// memory runs short.
bool sherd_fill_cavities(const sherd_shape *shape, const sherd_fill_cavities_def *def,
                         sherd_centres *centres);
