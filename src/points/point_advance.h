// A callback by which a pass over points advances them while they are in the cache.
#pragma once

#include "points/points.h"

typedef struct sherd_point_advance {
    const sherd_points *points; // the points to advance
    // Advances points [begin, end) to the state that the pass reads. Called once for each point, by
    // any thread.
    void (*advance)(void *context, size_t begin, size_t end);
    void *context;
} sherd_point_advance;
