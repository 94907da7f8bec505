// Where points are, as boxes: for who asks what may come near them.
#pragma once

#include "math/bounds.h"
#include "models/mpm/mpm.h"

typedef struct sherd_mpm_extent {
    sherd_bounds bounds; // of points [m]
    double speed;        // no point of it is faster [m/s]
} sherd_mpm_extent;

typedef struct sherd_mpm_extents {
    sherd_mpm_extent *list; // owned
    size_t count, capacity;
} sherd_mpm_extents; // starts from zeros

void sherd_mpm_extents_free(sherd_mpm_extents *extents);

// A box around the points of each cube of 16 cells that has any; cubes are larger where there would be more than 1024.
sherd_status sherd_mpm_extents_find(sherd_mpm_extents *extents, const sherd_mpm *m,
                                    sherd_error *error);
