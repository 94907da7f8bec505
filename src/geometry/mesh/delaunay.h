// Incremental Delaunay triangulation of a polygon: vertices are inserted one by one and edges
// flipped until no circumcircle contains another vertex (Lawson 1977).
#pragma once

#include "geometry/polygon.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

// Fraction of y by which the plane is sheared along x for the circle test: of the two diagonals of
// a grid square one is then preferred, everywhere the same.
#define SHERD_DELAUNAY_SHEAR (1.0 / 64.0)

// Half-edge h of triangle h / 3 runs from corner[h] to the corner of the next one; `twin` is the
// same edge in the adjacent triangle, -1 on the border.
typedef struct sherd_delaunay {
    size_t vertex_count, vertex_capacity;
    sherd_vec2 *vertex; // [m]
    size_t triangle_count, corner_capacity, twin_capacity;
    int32_t *corner, *twin; // (triangle_count x 3)
    int32_t *border;        // half-edges that start at the polygon's own vertices
    size_t waiting, waiting_capacity;
    int32_t *wait; // half-edges to be tested
    bool failed;   // out of memory
} sherd_delaunay;

// Triangulates a polygon. Flips nothing before sherd_delaunay_flip_all. Returns false when out of
// memory; call release in any case.
bool sherd_delaunay_init(sherd_delaunay *d, const sherd_polygon *polygon);
void sherd_delaunay_release(sherd_delaunay *d);

// Inserts a vertex on the border between the polygon's vertex k and the next border vertex. Flips
// nothing.
void sherd_delaunay_split(sherd_delaunay *d, int32_t k, sherd_vec2 at);
void sherd_delaunay_flip_all(sherd_delaunay *d);
// Inserts a vertex inside the polygon, not on its border; the search for its triangle begins at
// `near`. Returns one of the new triangles.
int32_t sherd_delaunay_insert(sherd_delaunay *d, int32_t near, sherd_vec2 at);
