// Triangles of either surface, divided along the segments in them (divide.h).
//
// On each part of an outer triangle the sides of its segments tell whose it is, and on each part of a
// crack triangle whether it is inside the body.
#pragma once

#include "geometry/exact/divide.h"
#include "surface/methods/cut/crossing.h"

// Corners are the numbers of vertices and then of crossing points in the list that the face is in.
typedef struct cut_face {
    int32_t corner[3];
    int32_t parent; // triangle of the outline or of the block of the crack
    int32_t value;  // outer: the fragment; inner: CUT_INSIDE or CUT_OUTSIDE
} cut_face;

enum { CUT_UNKNOWN = 0, CUT_OUTSIDE = 1, CUT_INSIDE = 2 };

typedef enum cut_result {
    CUT_OK,
    CUT_MEMORY,
    CUT_DEGENERATE,   // by chance: choose another salt
    CUT_INCONSISTENT, // the outline cuts itself, or nearly
} cut_result;

typedef struct cut_faces {
    int32_t count;
    size_t room;
    cut_face *items;
} cut_faces;

typedef enum cut_kind { CUT_OUTER, CUT_INNER } cut_kind;

// A triangle to be divided.
typedef struct cut_triangle {
    cut_kind kind;
    int32_t number;
    int32_t corner[3]; // as faces have them
    sherd_vec3 at[3];
    uint64_t order[3];           // as points along its edges were found
    int32_t count;               // its segments
    const crossing *segments;    // their points are numbers in the list
    const crossing_point *point; // the list's
    int32_t first_point;         // number of its first point as a corner of faces
} cut_triangle;

// Scratch, for one triangle after the other.
typedef struct cut_divider {
    triangle_divider parts;
    size_t segment_room;
    divide_segment *segments;
} cut_divider;

// Appends the parts of a triangle.
cut_result sherd_cut_divide(cut_divider *d, const cut_triangle *t, cut_faces *faces);
void sherd_cut_divider_release(cut_divider *d);
