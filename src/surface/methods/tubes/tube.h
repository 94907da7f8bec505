// Tubes swept along yarns: one closed surface for each unbroken run of elements.
//
// The centre line is a Catmull-Rom curve through the undeformed elements. Both elements k and k + 1
// carry a point of the tube between them, with weights that change smoothly from one to the other;
// as elements rotate with their yarn, the deformed curve passes through them with a common tangent.
// Ends are hemispheres where the undeformed yarn ends, and nearly flat, half-way to the lost
// neighbour, where it broke.
//
//      .---o-----o-----o-.  ring at every element and RINGS per bond, `sides` vertices each;
//     (    |  |  |  |  |  ) caps of CAP_RINGS rings and a tip
//      '---o-----o-----o-'
#pragma once

#include "surface/piece/piece.h"

// The undeformed yarns of a body; arrays by element of the body.
typedef struct yarns {
    sherd_element_index first, count;
    sherd_bond_index *next; // bond to the next element of the same yarn, -1 at its end
    sherd_vec3 *point;      // [m]
    sherd_vec3 *tangent;    // of the centre line, unit
    sherd_vec3 *side;       // unit, across the tangent; with minimal rotation along a yarn
    double *along;          // length from the yarn's beginning [m]
    const double *radius;   // [m]
    int sides;              // vertices of a ring
} yarns;

// An unbroken run of elements, indices within the body.
typedef struct tube_run {
    int32_t begin, end; // [begin, end)
    bool broken_before, broken_after;
} tube_run;

typedef struct tube_size {
    int32_t vertices, triangles;
} tube_size;

// Computes the size of a run's tube, and appends the tube to the piece's triangles.
tube_size sherd_tube_size(const yarns *y, tube_run run);
void sherd_tube_write(const yarns *y, tube_run run, tube_size at, piece *out);
