// Intersection of two triangles, decided by signs of exact volumes alone, so that all triangles
// around an edge agree.
//
// Two triangles intersect in a segment. Each end lies where an edge of one passes through the
// interior of the other; no end lies on edges of both (exact.h).
#pragma once

#include "geometry/exact/exact.h"

#include <stdbool.h>

typedef struct triangle_pair {
    int32_t number[2];     // the caller's
    uint64_t corner[2][3]; // ranks on which all triangles around an edge agree
    const exact_point *at[2][3];
    int side[2][3];        // side[s][k]: of corner k relative to the other triangle's plane
    int orientation[3][3]; // orientation of edge i of the first about edge j of the second
} triangle_pair;

// An end of the segment, on edge `side` of triangle `of`.
typedef struct pair_end {
    uint8_t of, side;
    double along;     // fraction of the edge, from its lower corner
    double weight[3]; // barycentric, in the other triangle
} pair_end;

typedef enum pair_result {
    PAIR_APART,
    PAIR_CROSSES,
    PAIR_DEGENERATE, // four coplanar points, or a triangle without area
} pair_result;

// Reads `corner` and `at`, computes the other members and, if the triangles intersect, the two
// ends.
pair_result sherd_triangle_pair_cross(triangle_pair *p, pair_end end[2]);

// Returns whether on the first triangle, viewed from its front, the second's front lies to the left
// of the direction from this end to the other; then on the second, viewed from its front, the
// first's back lies to the left.
bool sherd_triangle_pair_front_is_left(const triangle_pair *p, const pair_end *first);
