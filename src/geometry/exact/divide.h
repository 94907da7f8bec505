// A triangle divided along the segments in which others cross it (triangle_pair.h, facet.h). What a part is
// worth, its value, is told by the sides of its segments, and passed on across edges that are none.
#pragma once

#include "geometry/exact/facet.h"

#include <sherd/types.h>

typedef struct divide_end {
    int32_t point;    // number, the same for all ends at this point
    int side;         // of the triangle that it lies on; -1: within
    double along;     // on a side: share of the way, from its lower corner
    double weight[3]; // within: of the corners
} divide_end;

typedef struct divide_segment {
    divide_end end[2];
    int32_t left, right; // values beside the way from the first end to the second; not 0
} divide_segment;

typedef struct divide_triangle {
    sherd_vec3 at[3];
    uint64_t order[3]; // of corners, as points along edges were found
    int32_t count;
    const divide_segment *segments; // that do not cross, and close up or end on sides
} divide_triangle;

typedef enum divide_result {
    DIVIDE_OK,
    DIVIDE_MEMORY,
    DIVIDE_DEGENERATE,   // points that coincide
    DIVIDE_INCONSISTENT, // a part with two values
} divide_result;

// May be used again for another triangle.
typedef struct triangle_divider {
    facet f; // parts: f.triangle_count of f.triangles
    int32_t point_count;
    size_t point_room, value_room;
    int32_t
        *point; // numbers of points, ascending: corner 3 + k of a part is the k-th   (point_count)
    int32_t *value; //                                                        (f.triangle_count)
} triangle_divider;

divide_result sherd_divide(triangle_divider *d, const divide_triangle *t);
void sherd_divider_release(triangle_divider *d);
