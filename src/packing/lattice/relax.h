// Relaxes the spheres near a surface, so that they touch it and each other.
#pragma once

#include "packing/lattice/lattice.h"

typedef struct sherd_relax_def {
    double radius;
    double depth;   // only centres at a smaller depth move [m]; INFINITY moves all
    double pull;    // attraction across small gaps, as a fraction per iteration, [0, 0.35]
    double surface; // attraction of outermost spheres to the surface, as a fraction
    int iterations;
    int threads;
} sherd_relax_def;

// Overlaps repel, small gaps attract, outermost spheres are attracted to the surface and none may
// cross it. Returns false if memory runs short.
bool sherd_relax(const sherd_shape *shape, const sherd_relax_def *def, sherd_centres *centres);
