// Where the crack surface goes through the outer surface.
//
// Two triangles, one of each surface, cross in a segment. Each of its ends lies where an edge of one
// goes through the inside of the other: a point that all triangles around that edge share. Which do is
// told by signs of exact volumes alone, so neighbours always agree, and no point lies on an edge of both
// (see exact.h).
#pragma once

#include "surface/crack_grid.h"

// All of a body's crack surface; vertices are shared between blocks.
typedef struct crack {
    int32_t vertex_count, triangle_count;
    sherd_vec3 *position;     //     (vertices)
    exact_point *exact;       //     (vertices)
    crack_triangle *triangle; // corners: vertices of the crack
} crack;

// False when memory is short; release in any case. `salt` moves the lattice points.
bool sherd_crack_gather(crack *c, const crack_grid *g, const exact_lattice *lattice, uint64_t salt,
                        const sherd_parallel *parallel);
void sherd_crack_release(crack *c);

// An edge of one surface through a triangle of the other.
typedef struct crossing_point {
    bool of_crack;       // the edge is the crack's, the triangle the outline's; else the reverse
    int32_t edge;        // outline's number, or crossings' own number of a crack's edge
    int32_t triangle;    //
    double along;        // share of the way along the edge, from its vertex of lower number
    double weight[3];    // of the triangle's corners
    sherd_vec3 position; // in the outline's triangle
} crossing_point;

// A segment from one point to another.
typedef struct crossing {
    int32_t outer, crack; // triangles
    int32_t point[2];
    uint8_t side[2]; // of the outer or of the crack triangle that each point lies on
    bool
        left_is_front; // on the outer triangle, seen from outside, the crack's front is to the left of
                       // the way from the first to the second point; then on the crack triangle,
                       // seen from its front, the inside of the body is to the left
} crossing;

typedef struct crossings {
    int32_t point_count, count;
    crossing_point *points;
    crossing *segments; // by crack triangle
    int32_t *by_outer;  // numbers of segments by outer triangle, then as above  (count)
} crossings;

typedef enum crossing_result {
    CROSSING_OK,
    CROSSING_MEMORY,
    CROSSING_DEGENERATE, // four points in a plane: choose another salt
} crossing_result;

crossing_result sherd_crossings_find(crossings *x, const outline *o, const crack *c,
                                     const sherd_parallel *parallel);
void sherd_crossings_release(crossings *x);
