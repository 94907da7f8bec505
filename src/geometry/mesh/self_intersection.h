// Triangles of one mesh that cut each other.
#pragma once

#include "geometry/mesh/mesh_tree.h"

#include <stdatomic.h>

typedef struct sherd_self_intersections {
    int32_t count;       // pairs found, up to the limit
    sherd_vec3 position; // a point of the first [m]
    bool exhausted;      // gave up: too many long thin triangles lie across each other's boxes
} sherd_self_intersections;

// Pairs of triangles of which one passes through the other, or which overlap in one plane; triangles
// that only touch don't count. `tree` is the mesh's. Stops at `limit` pairs. The work is bounded: see `exhausted`. The
// same result for every number of threads. False when memory is short.
bool sherd_mesh_self_intersections(const sherd_mesh *mesh, const sherd_mesh_tree *tree,
                                   int32_t limit, sherd_self_intersections *found);

// A search for the triangles that cut those asked for.
typedef struct sherd_cut_search {
    const sherd_mesh *mesh;
    const sherd_bvh *tree;     // over boxes that hold the triangles
    const sherd_bounds *boxes; // of triangles                                   (triangle_count)
    const uint8_t *asked;      // pairs of which one is are tested               (triangle_count)
    atomic_uchar *cut; // set to 1 for both of a pair that does; others stay (triangle_count)
} sherd_cut_search;

void sherd_mesh_mark_intersections(const sherd_cut_search *asked);
