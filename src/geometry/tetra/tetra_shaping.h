// Fitting a tetrahedral mesh to the sharp features of a shape, and moving its vertices about.
#pragma once

#include "geometry/crease.h"
#include "geometry/tetra/tetra_mesh.h"

// Where a vertex may go: `count` is 0 inside the mesh.
typedef surface_feature tetra_feature;

// A mesh in the making, with features by vertex.
typedef struct tetra_shaping {
    sherd_tetra_mesh *mesh;
    tetra_feature *feature;
    const sherd_shape *shape;
    double size;        // typical edge length [m]
    double full_volume; // tetrahedra below count as worse, as they shorten time steps [m^3]
    sherd_parallel parallel;
    sherd_tetra_topology topology;                // of the mesh as it is
    size_t vertex_room, feature_room, tetra_room; // what the arrays hold, in numbers; 0: as counted
} tetra_shaping;

// Features of all vertices from the shape's normals around them. False when memory is short.
sherd_status sherd_tetra_features_find(tetra_shaping *s, sherd_error *error);
// Pulls vertices near creases and corners onto them and splits edges that still cross one.
sherd_status sherd_tetra_creases_fit(tetra_shaping *s, sherd_error *error);
// Moves vertices of bad tetrahedra so that the worst gets better. The topology must be up to date.
void sherd_tetra_smooth(tetra_shaping *s, int passes);
// Random displacements of up to `length` that keep tetrahedra at `quality` or as they were.
void sherd_tetra_jitter(tetra_shaping *s, double length, double quality, uint64_t seed);

// ---- for those above

// The worst quality of tetrahedra around v, were it at x; small ones count as worse.
double sherd_tetra_star_quality(const tetra_shaping *s, int32_t v, sherd_vec3 x);
// The nearest place to x that vertex v may go to; false where there is none.
bool sherd_tetra_feature_project(const tetra_shaping *s, int32_t v, sherd_vec3 *x);
