// A bounding volume hierarchy over a mesh's triangles, for nearest-point queries. The mesh may be
// open.
#pragma once

#include "geometry/bvh.h"

#include <sherd/mesh.h>

// The feature of a triangle on which a nearest point lies.
typedef enum sherd_triangle_feature {
    SHERD_FEATURE_VERTEX_A,
    SHERD_FEATURE_VERTEX_B,
    SHERD_FEATURE_VERTEX_C,
    SHERD_FEATURE_EDGE_AB,
    SHERD_FEATURE_EDGE_BC,
    SHERD_FEATURE_EDGE_CA,
    SHERD_FEATURE_FACE
} sherd_triangle_feature;

// Nearest surface point, as p - from.
typedef struct sherd_nearest_point {
    double squared;  // distance squared [m^2]; infinite when the mesh has no triangle
    sherd_vec3 from; // from the nearest point to the query point [m]
    double v, w;     // the point is a + v (b - a) + w (c - a)
    int32_t triangle;
    sherd_triangle_feature feature;
    int32_t visits; // number of boxes and triangles tested
} sherd_nearest_point;

typedef struct sherd_mesh_tree {
    sherd_bvh bvh;                          // over the triangles
    struct sherd_mesh_slab *slabs;          // of each node
    struct sherd_query_triangle *triangles; // in bvh.order
} sherd_mesh_tree;

// Does not retain the mesh. Returns false when out of memory; call release in any case.
bool sherd_mesh_tree_init(sherd_mesh_tree *tree, const sherd_mesh *mesh);
void sherd_mesh_tree_release(sherd_mesh_tree *tree);

// Calls `visit` with the triangles that a triangle may intersect, in a fixed order; stops and
// returns false if `visit` does.
bool sherd_mesh_tree_meets(const sherd_mesh_tree *tree, const sherd_vec3 corner[3],
                           sherd_bvh_visitor *visit, void *context);
sherd_nearest_point sherd_mesh_tree_nearest(const sherd_mesh_tree *tree, sherd_vec3 p);
// Calls `visit` with the nearest point of each triangle that is nearer than `reach`, in a fixed order.
typedef void sherd_near_visitor(void *context, const sherd_nearest_point *at);
void sherd_mesh_tree_near(const sherd_mesh_tree *tree, sherd_vec3 p, double reach,
                          sherd_near_visitor *visit, void *context);
// Returns the nearest point if its distance is between `low` and `high` [m]. Otherwise returns any
// point nearer than `low`, as soon as one is found, or triangle -1 if all are at `high` or farther.
sherd_nearest_point sherd_mesh_tree_nearest_between(const sherd_mesh_tree *tree, sherd_vec3 p,
                                                    double low, double high);
