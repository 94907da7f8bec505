// Moving the spheres near a surface a little, so that they touch it and each other.
#pragma once

#include "packing/lattice/lattice.h"

typedef struct sherd_relax_def {
    double radius;
    double depth;   // only centres less deep than this move [m]; INFINITY moves all
    double pull;    // how strongly small gaps close, as a share per iteration, [0, 0.35]
    double surface; // how strongly outermost spheres are drawn to the surface, likewise
    int iterations;
    int threads;
} sherd_relax_def;

// Overlaps push, small gaps pull, outermost spheres are drawn to the surface and none may cross it.
// False when memory is short.
bool sherd_relax(const sherd_shape *shape, const sherd_relax_def *def, sherd_centres *centres);
