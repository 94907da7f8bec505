// Triangles within a polygon that grow vertex by vertex, their edges flipped until no circle around a
// triangle has another vertex in it (Lawson 1977): the best shaped ones between these vertices.
#pragma once

#include "geometry/polygon.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

// The plane is sheared along x by as much of y when circles are drawn: of the two ways to divide a square
// of a grid, one is better then, everywhere the same.
#define SHERD_DELAUNAY_SHEAR (1.0 / 64.0)

// Half-edge h of triangle h / 3 runs from corner[h] to the corner of the next one; `twin` is the same edge
// as seen from the other side, -1 on the border.
typedef struct sherd_delaunay {
    size_t vertex_count, vertex_room;
    sherd_vec2 *vertex; // [m]
    size_t triangle_count, corner_room, twin_room;
    int32_t *corner, *twin; // (triangle_count x 3)
    int32_t *border;        // half-edges from the polygon's own vertices
    size_t waiting, waiting_room;
    int32_t *wait; // half-edges to be tested
    bool failed;   // memory is short
} sherd_delaunay;

// The triangles of a polygon. Nothing is flipped before sherd_delaunay_flip_all. False when memory is short; release in
// any case.
bool sherd_delaunay_init(sherd_delaunay *d, const sherd_polygon *polygon);
void sherd_delaunay_release(sherd_delaunay *d);

// A new vertex on the border between the polygon's vertex k and the one after it on the border. Flips nothing.
void sherd_delaunay_split(sherd_delaunay *d, int32_t k, sherd_vec2 at);
void sherd_delaunay_flip_all(sherd_delaunay *d);
// A new vertex within the polygon and not on its border; a search for its triangle begins at `near`.
// Returns one of the new triangles.
int32_t sherd_delaunay_insert(sherd_delaunay *d, int32_t near, sherd_vec2 at);
