// Generalised winding numbers of triangle soups: the sum of all triangles' solid angles over 4 pi.
// 1 inside a closed surface, 0 outside, something between where it is open; 2 where two overlap.
//                                                                       [Jacobson et al. 2013]
//
// Clusters of triangles far away are approximated by their moments about a centre p, with r = p - q
// and areas a_t, normals n_t and centroids c_t:
//
//     4 pi w(q) = N . r / |r|^3 + (tr M - 3 r . M r / |r|^2) / |r|^3 + 1/2 sum_ikj T_ikj d_i d_k (r_j / |r|^3),
//     N = sum a_t n_t,   M = sum a_t (c_t - p) n_t^T,   T = sum of n (x - p) (x - p)^T over t's area,
//
// with d_i d_k (r_j / |r|^3) = -3 (delta_ij r_k + delta_kj r_i + delta_ik r_j) / |r|^5 + 15 r_i r_j r_k / |r|^7.
//                                                                       [Barill et al. 2018]
#pragma once

#include "geometry/bvh.h"

#include <sherd/mesh.h>

#include <stdbool.h>

typedef struct sherd_winding {
    const sherd_mesh *mesh;
    const sherd_bvh *bvh;                // over its triangles
    struct sherd_winding_moments *nodes; // of each node's children
} sherd_winding;

// Borrows both. Returns false when out of memory; call release in any case.
bool sherd_winding_init(sherd_winding *winding, const sherd_mesh *mesh, const sherd_bvh *bvh);
void sherd_winding_release(sherd_winding *winding);

// Accurate to about 0.005. Adds the work done to *work (mesh_work.h).
double sherd_winding_number(const sherd_winding *winding, sherd_vec3 q, int64_t *work);
