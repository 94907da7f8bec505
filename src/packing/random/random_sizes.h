// Size distribution of the elements of a random packing.
#pragma once

#include <sherd/packing.h>

typedef struct sherd_rcp_sizes {
    double mean;        // [m]
    double mean_volume; // of a sphere [m^3]
    double fraction;    // packing fraction of spheres of these sizes when jammed far from walls
} sherd_rcp_sizes;

sherd_rcp_sizes sherd_rcp_sizes_of(const sherd_packing_def *def);

// The quantile function: the radius that a fraction u of all elements, in (0, 1), does not exceed
// [m].
double sherd_rcp_radius(const sherd_packing_def *def, double u);
