// Constrained triangulation of one triangle with segments inside it.
//
// Points lie on a lattice of barycentric coordinates, 2^50 steps along each side, so that every
// orientation is exact and does not depend on the triangle's size or shape; points on a side lie on it
// exactly. Points are inserted, then edges flipped until every segment is an edge, then flipped
// further towards well-shaped triangles.
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef struct facet_point {
    int64_t u, v; // barycentric weights of corners 1 and 2, in 2^-50
    double x, y;  // in the triangle's plane, for quality measures only
} facet_point;

typedef struct facet_triangle {
    int32_t corner[3];  // counter-clockwise
    int32_t next[3];    // triangle beyond the side from corner k to corner k + 1, -1: none
    int32_t segment[3]; // segment that contains the side, -1: none
} facet_triangle;

// Reusable for another triangle.
typedef struct facet {
    int32_t point_count, triangle_count;
    size_t point_capacity, triangle_capacity, list_capacity;
    facet_point *points;       // the first three are the triangle's corners
    facet_triangle *triangles; // of the result
    int32_t *list;             // edges that cross a segment, as pairs of points
} facet;

typedef enum facet_result { FACET_OK, FACET_MEMORY, FACET_DEGENERATE } facet_result;

// Converts a fraction in [0, 1] to lattice steps.
int64_t sherd_facet_fraction(double fraction);

// Starts with a triangle of the given corners in its plane, counter-clockwise.
facet_result sherd_facet_begin(facet *f, const double x[3], const double y[3]);
// Inserts a point in the interior, or on side 0, 1 or 2 at fraction `along` from its first corner.
// Points are numbered consecutively.
facet_result sherd_facet_add_inside(facet *f, double weight_1, double weight_2);
facet_result sherd_facet_add_on_side(facet *f, int side, int64_t along);
// Call after all points: makes the segment between two points an edge. Segments do not cross.
facet_result sherd_facet_constrain(facet *f, int32_t from, int32_t to, int32_t segment);
// Call after all segments: improves the shapes of triangles.
void sherd_facet_improve(facet *f);
void sherd_facet_release(facet *f);
