// Pairs of triangles of one mesh that cut through each other.
#pragma once

#include <sherd/mesh.h>

typedef struct sherd_self_intersections {
    int32_t count;       // pairs, counted up to the limit
    int32_t a, b;        // one example
    sherd_vec3 position; // of the example [m]
} sherd_self_intersections;

// Triangles that share an edge are not tested; touching without crossing does not count. False
// when memory is short.
bool sherd_mesh_self_intersections(const sherd_mesh *mesh, int32_t limit,
                                   sherd_self_intersections *found);
