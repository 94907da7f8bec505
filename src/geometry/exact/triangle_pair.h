// Where two triangles cross, told by signs of exact volumes alone, so that all triangles around an edge agree.
//
// They cross in a segment. Each of its ends lies where an edge of one goes through the inside of the other;
// none lies on an edge of both (exact.h).
#pragma once

#include "geometry/exact/exact.h"

#include <stdbool.h>

typedef struct triangle_pair {
    int32_t number[2];     // the caller's
    uint64_t corner[2][3]; // in an order that all triangles around an edge agree on
    const exact_point *at[2][3];
    int side[2][3]; // side[s][k]: of corner k, seen from the other triangle
    int turn[3][3]; // of edge i of the first about edge j of the second
} triangle_pair;

// An end of the segment, on edge `side` of triangle `of`.
typedef struct pair_end {
    uint8_t of, side;
    double along;     // share of the way along the edge, from its lower corner
    double weight[3]; // of the other triangle's corners
} pair_end;

typedef enum pair_result {
    PAIR_APART,
    PAIR_CROSSES,
    PAIR_DEGENERATE, // four points in a plane, or a triangle without area
} pair_result;

// Takes `corner` and `at`, fills the rest, and where they cross the two ends.
pair_result sherd_triangle_pair_cross(triangle_pair *p, pair_end end[2]);

// Whether on the first triangle, seen from its front, the second's front is to the left of the way from this
// end to the other; then on the second, seen from its front, the first's back is to the left.
bool sherd_triangle_pair_front_is_left(const triangle_pair *p, const pair_end *first);
