// A body-centred cubic lattice of tetrahedra over a shape's bounds, and its part inside the shape.
#pragma once

#include "geometry/tetra/tetra_mesh.h"

// Vertices are the corners of cells, then their centres. The cells fill the bounds exactly, so that
// a box's faces are planes of corners; one additional layer of cells surrounds them.
typedef struct tetra_lattice {
    int32_t cells[3];  // including the surrounding layer
    sherd_vec3 origin; // corner (0, 0, 0) of the surrounding layer [m]
    sherd_vec3 cell;   // edges of a cell [m]
    int64_t corner_count, vertex_count;
} tetra_lattice;

// Ratio of the lattice's mean edge length to its cells' edge length: two edges of 1, four of
// sqrt(3)/2.
#define TETRA_LATTICE_MEAN_EDGE ((2.0 + 4.0 * 0.8660254037844386) / 6.0)
enum { TETRA_LATTICE_PER_CELL = 12 };

sherd_status sherd_tetra_lattice_fit(const sherd_shape *shape, const sherd_tetra_lattice_def *def,
                                     tetra_lattice *lattice, sherd_error *error);
sherd_vec3 sherd_tetra_lattice_vertex(const tetra_lattice *lattice, int64_t v);

// A lattice edge that crosses the surface, from the vertex inside to the one outside.
typedef struct tetra_crossing {
    int32_t inside, outside;
    sherd_vec3 cut; // position [m]
    // Distance from `inside` to the cut [m]; < 0: removed, an end moved onto the surface.
    double depth;
} tetra_crossing;

// The result of filling. Arrays by lattice vertex, tetrahedra with at least one vertex inside.
typedef struct tetra_field {
    tetra_lattice lattice;
    const sherd_shape *shape;
    sherd_vec3 *point;
    float *side; // < 0 inside, > 0 outside, 0 on the surface
    size_t tetra_count, tetra_capacity;
    int32_t (*tetra)[4];
    size_t crossing_count;
    tetra_crossing *crossing; // ordered by (smaller end, larger end)
    uint64_t *crossing_key;   // smaller end << 32 | larger end, ascending
} tetra_field;

// Determines which vertices lie inside, and where edges cross the surface; moves vertices near a
// crossing onto the surface, so that cutting creates no bad tetrahedra (Labelle and Shewchuk 2007,
// isosurface stuffing). Call release in any case.
sherd_status sherd_tetra_field_make(tetra_field *field, const sherd_parallel *parallel,
                                    sherd_error *error);
void sherd_tetra_field_release(tetra_field *field);

// Returns the tetrahedra inside, after cutting those that the surface crosses.
sherd_tetra_mesh *sherd_tetra_field_cut(const tetra_field *field, sherd_error *error);
