// Division of a triangle along the segments in which others intersect it (triangle_pair.h,
// facet.h). The sides of segments determine a value for each adjacent part; it propagates across
// edges that are no segments.
#pragma once

#include "geometry/exact/facet.h"

#include <sherd/types.h>

typedef struct divide_end {
    int32_t point;    // index, equal for all ends at this point
    int side;         // side of the triangle that it lies on; -1: interior
    double along;     // on a side: fraction of the side, from its lower corner
    double weight[3]; // interior: barycentric weights of the corners
} divide_end;

typedef struct divide_segment {
    divide_end end[2];
    int32_t left, right; // values beside the direction from the first end to the second; not 0
} divide_segment;

typedef struct divide_triangle {
    sherd_vec3 at[3];
    uint64_t order[3]; // ranks of corners, as used when points along edges were computed
    int32_t count;
    const divide_segment *segments; // non-crossing, closed or ending on sides
} divide_triangle;

typedef enum divide_result {
    DIVIDE_OK,
    DIVIDE_MEMORY,
    DIVIDE_DEGENERATE,   // points that coincide
    DIVIDE_INCONSISTENT, // a part with two values
} divide_result;

// Reusable for another triangle.
typedef struct triangle_divider {
    facet f; // parts: f.triangle_count of f.triangles
    int32_t point_count;
    size_t point_capacity, value_capacity;
    // Indices of points, ascending: corner 3 + k of a part is the k-th   (point_count).
    int32_t *point;
    int32_t *value; //                                                        (f.triangle_count)
} triangle_divider;

divide_result sherd_divide(triangle_divider *d, const divide_triangle *t);
void sherd_divider_release(triangle_divider *d);
