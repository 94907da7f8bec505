// Intersection of the crack surface with the outer surface, block by block of the crack's grid.
//
// Two triangles, one of each surface, intersect in a segment. Each end of the segment lies where an
// edge of one passes through the interior of the other; all triangles around that edge share this
// point. Signs of exact volumes alone decide which edges pass through, so neighbours always agree,
// and no point lies on edges of both surfaces (see exact.h). Blocks agree on the points that they
// share: a point has a key, and all computed properties depend on the keys of vertices, not on
// their indices.
#pragma once

#include "surface/methods/crack/crack_grid.h"

// Intersection of an edge of one surface with a triangle of the other.
typedef struct crossing_point {
    uint64_t key; // equal for the same point in different blocks, unique otherwise
    // True: an edge of the crack and a triangle of the outer surface; false: the reverse.
    bool of_crack;
    int32_t edge;        // index in the outer surface, if the edge is one of its edges
    double along;        // position along the edge, 0 to 1, from its vertex of lower index or key
    double weight[3];    // barycentric, in the triangle
    sherd_vec3 position; // in the triangle of the outer surface
} crossing_point;

// A segment from one point to another.
typedef struct crossing {
    int32_t outer, crack;          // triangle of the outer surface, and of the block's crack
    sherd_fragment_id front, back; // of the crack triangle
    int32_t point[2];
    uint8_t side[2]; // side of the outer or of the crack triangle on which each point lies
    // On the outer triangle, viewed from outside, the crack's front lies left of the direction from the
    // first to the second point; then on the crack triangle, viewed from its front, the interior of
    // the body lies left.
    bool left_is_front;
} crossing;

typedef struct crossings {
    int32_t point_count, count;
    size_t point_capacity, capacity;
    crossing_point *points;
    crossing *segments; // of a block, ordered by crack triangle
} crossings;

typedef enum crossing_result {
    CROSSING_OK,
    CROSSING_MEMORY,
    CROSSING_DEGENERATE, // four coplanar points: choose another salt
} crossing_result;

// Computes the intersections of block `block`. `exact` has the lattice points of its vertices. Call
// release in any case.
crossing_result sherd_crossings_find(crossings *x, const outline *o, const crack_grid *g,
                                     int32_t block, const exact_point *exact);
void sherd_crossings_release(crossings *x);

// Keys of the surfaces' own vertices never equal keys of intersection points.
static inline uint64_t outline_vertex_key(int32_t v)
{
    return UINT64_C(1) << 62 | (uint64_t)v;
}
