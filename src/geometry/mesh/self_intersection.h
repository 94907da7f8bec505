// Finds triangles of one mesh that intersect each other.
#pragma once

#include "geometry/mesh/mesh_tree.h"

#include <stdatomic.h>

typedef struct sherd_self_intersections {
    int32_t count;       // pairs found, up to the limit
    sherd_vec3 position; // a point of the first [m]
    bool exhausted;      // aborted: the boxes of too many long thin triangles overlap
} sherd_self_intersections;

// Finds pairs of triangles that intersect or that overlap in one plane; triangles that only touch
// do not count. `tree` is the mesh's. Stops at `limit` pairs. The work is bounded: see `exhausted`.
// The result does not depend on the number of threads. Returns false when out of memory.
bool sherd_mesh_self_intersections(const sherd_mesh *mesh, const sherd_mesh_tree *tree,
                                   int32_t limit, sherd_self_intersections *found);

// A search for triangles that intersect the requested ones.
typedef struct sherd_cut_search {
    const sherd_mesh *mesh;
    const sherd_bvh *tree;     // over boxes that contain the triangles
    const sherd_bounds *boxes; // of triangles                                   (triangle_count)
    // Requested: pairs with a requested triangle are tested (triangle_count).
    const uint8_t *requested;
    // Set to 1 for both triangles of an intersecting pair; others are unchanged (triangle_count).
    atomic_uchar *cut;
} sherd_cut_search;

void sherd_mesh_mark_intersections(const sherd_cut_search *requested);
