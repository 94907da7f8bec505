// Points inside a shape, on a regular grid over its bounds.
#pragma once

#include <sherd/shape.h>

#include <stddef.h>

typedef struct sherd_samples {
    sherd_vec3 *point; // interior points
    double *depth;     // their distance to the surface [m], > 0
    size_t count;
    double spacing; // of the grid they come from [m]
} sherd_samples;

// Refines the grid until enough points are inside, if any are. Returns false if memory runs short;
// free it in any case.
bool sherd_samples_take(const sherd_shape *shape, sherd_bounds bounds, int threads,
                        sherd_samples *inside);
void sherd_samples_free(sherd_samples *inside);
