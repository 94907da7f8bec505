// Adding spheres one by one where they touch others: fills cavities that a lattice leaves under a
// curved surface, and covers thin curved walls layer by layer from a single seed.
#pragma once

#include "packing/lattice.h"

typedef struct sherd_accrete_def {
    double radius;
    double overlap; // a sphere may be placed this much closer than touching, in radii
    bool from_seed; // grow outwards from the first centre; else fill the fullest hollows first
    size_t most;    // stop at this many centres
} sherd_accrete_def;

// Appends to `centres`, which holds at least one. Serial: the order of adding is the result.
// False when memory is short.
bool sherd_accrete(const sherd_shape *shape, const sherd_accrete_def *def, sherd_centres *centres);

// Pushes a centre along the normal until its sphere lies inside again.
sherd_vec3 sherd_push_inside(const sherd_shape *shape, sherd_vec3 p, double r);
