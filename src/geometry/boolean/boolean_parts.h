// Data shared by the steps of a mesh boolean: both meshes in one, the points where edges of one
// pierce triangles of the other, and the segments in which triangles intersect.
#pragma once

#include "geometry/boolean/boolean.h"
#include "geometry/exact/divide.h"
#include "geometry/exact/exact.h"

#include <stddef.h>

enum { BOOLEAN_INSIDE = 1, BOOLEAN_OUTSIDE = 2 }; // of the other mesh: values of parts of triangles

// Where an edge of one mesh pierces a triangle of the other. Its vertex is `given_vertices` + its index.
typedef struct boolean_point {
    int32_t low, high; // ends of the edge, low < high
    int32_t triangle;
} boolean_point;

// A segment in triangle `triangle`, part of the intersection with `other`; stored once for each of
// the two.
typedef struct boolean_segment {
    int32_t triangle, other;
    divide_segment line; // its points are vertex indices
} boolean_segment;

typedef struct boolean_work {
    bool cut; // a difference
    const sherd_mesh *a, *b;
    int32_t given_vertices; // vertices of a, then of b; intersection points follow
    int32_t given_triangles, first_b;
    sherd_vec3 *vertex;
    size_t vertex_count, vertex_capacity;
    // Nearest lattice point (given_vertices).
    exact_point *exact;
    double step;       // of the lattice [m]
    int32_t *triangle; // corners                                         (given_triangles x 3)
    boolean_point *points;
    size_t point_count, point_capacity;
    int32_t *slots; // hash table of points, index + 1; 0: free           (slot_count)
    size_t slot_count;
    boolean_segment *segments; // sorted by triangle at the end
    size_t segment_count, segment_capacity;
    int32_t *kept; // triangles of the result                             (kept_count x 3)
    size_t kept_count, kept_capacity;
    bool out_of_memory,
        // Contradictory: closed meshes in general position cannot intersect like this.
        contradictory;
} boolean_work;

// Computes points and segments. Returns false with one of the two flags set.
bool sherd_boolean_cut(boolean_work *w);
