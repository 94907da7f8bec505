// Slabs that bound the triangles of a tree's nodes along their mean normal: for a patch of surface
// that faces a point they bound the distance much more tightly than its box.
#pragma once

#include "geometry/bvh.h"
#include "geometry/four_doubles.h"

#include <sherd/mesh.h>

#include <math.h>
#include <stdbool.h>

// For each child of a node: low <= d . x <= high for its triangles' points x; infinite for children
// without a mean normal. Widened by rounding.
typedef struct sherd_mesh_slab {
    double x[SHERD_BVH_WIDTH], y[SHERD_BVH_WIDTH], z[SHERD_BVH_WIDTH]; // d, a unit vector
    double low[SHERD_BVH_WIDTH], high[SHERD_BVH_WIDTH];                // [m]
} sherd_mesh_slab;

// Builds a slab set for every node of a tree over the mesh's triangles; free the result. NULL when
// out of memory.
sherd_mesh_slab *sherd_mesh_slabs_create(const sherd_bvh *bvh, const sherd_mesh *mesh);

// Raises squared distances from p to a node's boxes to those to its slabs [m^2]. `slack`
// compensates for rounding: mesh_slab_slack.
static inline void mesh_slab_distances(const sherd_mesh_slab *slab, const double p[3], double slack,
                                       sherd_four *squared)
{
    const sherd_four zero = {0.0, 0.0, 0.0, 0.0}, before = *squared;
    sherd_four along =
        FOUR_LOAD(slab->x) * p[0] + FOUR_LOAD(slab->y) * p[1] + FOUR_LOAD(slab->z) * p[2];
    sherd_four below = FOUR_LOAD(slab->low) - along, above = along - FOUR_LOAD(slab->high);
    sherd_four gap = FOUR_MAX(below, above) - slack;
    gap = FOUR_MAX(gap, zero);
    gap *= gap;
    *squared = FOUR_MAX(gap, before);
}

// Clears a node's children whose triangles lie on one side of their slab's bounds and the given
// triangle on the other.
static inline void mesh_slab_separate(const sherd_mesh_slab *slab, const sherd_vec3 corner[3],
                                      double slack, bool meets[SHERD_BVH_WIDTH])
{
    for (int k = 0; k < SHERD_BVH_WIDTH; ++k) {
        double low = INFINITY, high = -INFINITY;
        for (int c = 0; c < 3; ++c) {
            double along =
                slab->x[k] * corner[c].x + slab->y[k] * corner[c].y + slab->z[k] * corner[c].z;
            low = along < low ? along : low;
            high = along > high ? along : high;
        }
        meets[k] = meets[k] && low - slack <= slab->high[k] && high + slack >= slab->low[k];
    }
}

// About a hundred times the rounding of a projection.
static inline double mesh_slab_slack(double x, double y, double z)
{
    return 1e-13 * ((x < 0.0 ? -x : x) + (y < 0.0 ? -y : y) + (z < 0.0 ? -z : z));
}
