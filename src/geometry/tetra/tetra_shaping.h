// Fits a tetrahedral mesh to the sharp features of a shape, and improves it by moving vertices.
#pragma once

#include "geometry/crease.h"
#include "geometry/tetra/tetra_mesh.h"

// Permitted positions of a vertex: `count` is 0 inside the mesh.
typedef surface_feature tetra_feature;

// A mesh under construction, with features by vertex.
typedef struct tetra_shaping {
    sherd_tetra_mesh *mesh;
    tetra_feature *feature;
    const sherd_shape *shape;
    double size;        // typical edge length [m]
    double full_volume; // smaller tetrahedra count as worse, as they shorten time steps [m^3]
    sherd_parallel parallel;
    sherd_tetra_topology topology; // of the current mesh
    size_t vertex_capacity, feature_capacity,
        tetra_capacity; // capacities of the arrays; 0: exactly the counts
} tetra_shaping;

// Determines the features of all vertices from the shape's normals around them. Returns false when
// out of memory.
sherd_status sherd_tetra_features_find(tetra_shaping *s, sherd_error *error);
// Moves vertices near creases and corners onto them and splits edges that still cross one.
sherd_status sherd_tetra_creases_fit(tetra_shaping *s, sherd_error *error);
// Moves vertices of bad tetrahedra to improve the worst one. The topology must be up to date.
void sherd_tetra_smooth(tetra_shaping *s, int passes);
// Applies random displacements of up to `length` that leave tetrahedra at `quality` or as they
// were.
void sherd_tetra_jitter(tetra_shaping *s, double length, double quality, uint64_t seed);

// ---- used by the functions above

// Returns the worst quality of tetrahedra around v, if it were at x; small ones count as worse.
double sherd_tetra_star_quality(const tetra_shaping *s, int32_t v, sherd_vec3 x);
// Finds the permitted position of vertex v nearest to x; returns false if there is none.
bool sherd_tetra_feature_project(const tetra_shaping *s, int32_t v, sherd_vec3 *x);
