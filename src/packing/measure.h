// Quality of a packing: gaps at the surface.
#pragma once

#include "math/point_grid.h"

#include <sherd/packing.h>

// Gap at the surface: how far the outermost elements are from touching it. An element is outermost
// when no other one lies between it and the nearest surface. `depth`: distances to the surface.
typedef struct sherd_surface_gap {
    double mean, max; // [m]
    size_t count;     // outermost elements
    // The flat face with the largest gap to its nearest element: this gap. 0 without faces.
    double face;            // [m]
    sherd_vec3 face_normal; // outward
} sherd_surface_gap;

// Returns false if memory runs short.
bool sherd_measure_surface_gap(const sherd_shape *shape, const sherd_point_grid *grid, double r,
                               int threads, sherd_surface_gap *gap);
