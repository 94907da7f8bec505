// Where the crack surface goes through the outer surface, block by block of the crack's grid.
//
// Two triangles, one of each surface, cross in a segment. Each of its ends lies where an edge of one
// goes through the inside of the other: a point that all triangles around that edge share. Which do is
// told by signs of exact volumes alone, so neighbours always agree, and no point lies on an edge of both
// (see exact.h). Blocks agree on points that they share: a point has a key, and all that is computed of
// it depends on the vertices' keys, not on their numbers.
#pragma once

#include "surface/methods/crack/crack_grid.h"

// An edge of one surface through a triangle of the other.
typedef struct crossing_point {
    uint64_t key;        // equal for the same point in different blocks, and for no other
    bool of_crack;       // the edge is the crack's, the triangle the outline's; else the reverse
    int32_t edge;        // of the outline, if it is the outline's
    double along;        // share of the way along the edge, from its vertex of lower number or key
    double weight[3];    // of the triangle's corners
    sherd_vec3 position; // in the outline's triangle
} crossing_point;

// A segment from one point to another.
typedef struct crossing {
    int32_t outer, crack;          // triangles, the latter of the block
    sherd_fragment_id front, back; // of the crack triangle
    int32_t point[2];
    uint8_t side[2]; // of the outer or of the crack triangle that each point lies on
    bool
        left_is_front; // on the outer triangle, seen from outside, the crack's front is to the left of
                       // the way from the first to the second point; then on the crack triangle,
                       // seen from its front, the inside of the body is to the left
} crossing;

typedef struct crossings {
    int32_t point_count, count;
    size_t point_room, room;
    crossing_point *points;
    crossing *segments; // of a block: by crack triangle
} crossings;

typedef enum crossing_result {
    CROSSING_OK,
    CROSSING_MEMORY,
    CROSSING_DEGENERATE, // four points in a plane: choose another salt
} crossing_result;

// Those of the `block`-th block. `exact` has the lattice points of its vertices. Release in any case.
crossing_result sherd_crossings_find(crossings *x, const outline *o, const crack_grid *g,
                                     int32_t block, const exact_point *exact);
void sherd_crossings_release(crossings *x);

// Keys of the surfaces' own vertices never are those of crossing points.
static inline uint64_t outline_vertex_key(int32_t v)
{
    return UINT64_C(1) << 62 | (uint64_t)v;
}
