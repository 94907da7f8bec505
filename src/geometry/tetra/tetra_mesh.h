// Access to tetrahedral meshes' flat arrays as vectors, and their adjacency.
#pragma once

#include "base/parallel.h"
#include "math/vec3.h"

#include <sherd/tetra.h>

#include <stdbool.h>

// A mesh with zeroed arrays. NULL with SHERD_ERROR_MEMORY or SHERD_ERROR_INPUT (negative counts).
sherd_tetra_mesh *sherd_tetra_mesh_create(int32_t vertex_count, int32_t tetra_count,
                                          sherd_error *error);
#include <stddef.h>

// Corners of the face opposite each corner, counter-clockwise viewed from outside.
extern const int8_t sherd_tetra_face[4][3];
// The two corners of each edge, and of the opposite edge.
extern const int8_t sherd_tetra_edge[6][4];

static inline sherd_vec3 tetra_vertex(const sherd_tetra_mesh *mesh, int32_t v)
{
    const double *p = mesh->vertices + 3 * (size_t)v;
    return vec3(p[0], p[1], p[2]);
}

static inline void tetra_set_vertex(sherd_tetra_mesh *mesh, int32_t v, sherd_vec3 p)
{
    double *to = mesh->vertices + 3 * (size_t)v;
    to[0] = p.x, to[1] = p.y, to[2] = p.z;
}

static inline const int32_t *tetra_corners(const sherd_tetra_mesh *mesh, int32_t t)
{
    return mesh->tetras + 4 * (size_t)t;
}

static inline double tetra_volume_of(const sherd_vec3 p[4])
{
    sherd_vec3 a = vec3_sub(p[1], p[0]), b = vec3_sub(p[2], p[0]), c = vec3_sub(p[3], p[0]);
    return vec3_dot(vec3_cross(a, b), c) / 6.0;
}

static inline void tetra_points(const sherd_tetra_mesh *mesh, int32_t t, sherd_vec3 p[4])
{
    for (int k = 0; k < 4; ++k)
        p[k] = tetra_vertex(mesh, tetra_corners(mesh, t)[k]);
}

// (b - a) x (c - a) of the face opposite corner k: outward, with twice the area as length.
static inline sherd_vec3 tetra_face_vector(const sherd_tetra_mesh *mesh, int32_t t, int k)
{
    const int32_t *c = tetra_corners(mesh, t);
    const int8_t *f = sherd_tetra_face[k];
    sherd_vec3 a = tetra_vertex(mesh, c[f[0]]);
    return vec3_cross(vec3_sub(tetra_vertex(mesh, c[f[1]]), a),
                      vec3_sub(tetra_vertex(mesh, c[f[2]]), a));
}

// 6 sqrt2 V / l_rms^3: 1 for a regular tetrahedron, 0 if flat, negative if inverted.
double sherd_tetra_shape_quality(const sherd_vec3 p[4]);
// Dihedral angles at the six edges [rad].
void sherd_tetra_angles(const sherd_vec3 p[4], double angle[6]);

// The tetrahedra around each vertex and across each face.
typedef struct sherd_tetra_topology {
    int32_t *start, *around; // tetrahedra around vertex v: around[start[v] .. start[v + 1] - 1]
    int32_t *neighbor;       // across the face opposite corner k, -1 outside (tetrahedra x 4)
} sherd_tetra_topology;

// Computes only `start` and `around`. Returns false when out of memory; call release in any case.
bool sherd_tetra_stars(const sherd_tetra_mesh *mesh, sherd_tetra_topology *topology);
// Returns SHERD_ERROR_INPUT for faces that three or more tetrahedra share, or two from the same
// side.
sherd_status sherd_tetra_topology_build(const sherd_tetra_mesh *mesh, const char *where,
                                        const sherd_parallel *parallel,
                                        sherd_tetra_topology *topology, sherd_error *error);
void sherd_tetra_topology_release(sherd_tetra_topology *topology);

// Returns the corner of tetrahedron t that is vertex v, -1: none.
static inline int tetra_corner_of(const sherd_tetra_mesh *mesh, int32_t t, int32_t v)
{
    const int32_t *c = tetra_corners(mesh, t);
    for (int k = 0; k < 4; ++k)
        if (c[k] == v) return k;
    return -1;
}
