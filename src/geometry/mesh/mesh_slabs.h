// Plates that hold the triangles of a tree's nodes, along their mean normal: where a patch of surface
// faces a point, much tighter than its box.
#pragma once

#include "geometry/bvh.h"
#include "geometry/four.h"

#include <sherd/mesh.h>

#include <math.h>
#include <stdbool.h>

// For each child of a node: low <= d . x <= high for its triangles' points x; infinite where they
// have no mean normal. Widened by rounding.
typedef struct sherd_mesh_slab {
    double x[SHERD_BVH_WIDTH], y[SHERD_BVH_WIDTH], z[SHERD_BVH_WIDTH]; // d, a unit vector
    double low[SHERD_BVH_WIDTH], high[SHERD_BVH_WIDTH];                // [m]
} sherd_mesh_slab;

// One for every node of a tree over the mesh's triangles, to be freed; NULL when memory is short.
sherd_mesh_slab *sherd_mesh_slabs_create(const sherd_bvh *bvh, const sherd_mesh *mesh);

// Raises squared distances from p to a node's boxes to those to its plates [m^2]. `slack` makes up for
// rounding: mesh_slab_slack.
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

// Clears those of a node's children whose triangles lie on one side of their plate's bounds, with the
// given triangle beyond.
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

// Some hundred times the rounding of a projection.
static inline double mesh_slab_slack(double x, double y, double z)
{
    return 1e-13 * ((x < 0.0 ? -x : x) + (y < 0.0 ? -y : y) + (z < 0.0 ? -z : z));
}
