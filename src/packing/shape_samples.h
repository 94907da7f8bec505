// Points inside a shape, on a regular grid over its bounds.
#pragma once

#include <sherd/shape.h>

#include <stddef.h>

typedef struct sherd_samples {
    double *x, *y, *z; // interior points [m]                         (count)
    double *depth;     // their distance to the surface [m], > 0       (count)
    size_t count;
    double spacing; // of the grid they come from [m]
} sherd_samples;

static inline sherd_vec3 sherd_sample_point(const sherd_samples *inside, size_t k)
{
    return (sherd_vec3){inside->x[k], inside->y[k], inside->z[k]};
}

// Refines the grid until enough points are inside, if any are. Returns false if memory runs short;
// free it in any case.
bool sherd_samples_take(const sherd_shape *shape, sherd_bounds bounds, int threads,
                        sherd_samples *inside);
void sherd_samples_free(sherd_samples *inside);
