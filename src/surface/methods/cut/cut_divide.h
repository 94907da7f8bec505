// Division of triangles of either surface along their intersection segments (divide.h).
//
// The sides of the segments determine for each part of an outer triangle which fragment owns it,
// and for each part of a crack triangle whether it is inside the body.
#pragma once

#include "geometry/exact/divide.h"
#include "surface/methods/cut/crossing.h"

// Corners are indices of the list's vertices, followed by those of its intersection points.
typedef struct cut_face {
    int32_t corner[3];
    int32_t parent; // triangle of the outer surface or of the block's crack
    int32_t value;  // outer: the fragment; inner: CUT_INSIDE or CUT_OUTSIDE
} cut_face;

enum { CUT_UNKNOWN = 0, CUT_OUTSIDE = 1, CUT_INSIDE = 2 };

typedef enum cut_result {
    CUT_OK,
    CUT_MEMORY,
    CUT_DEGENERATE,   // by coincidence: choose another salt
    CUT_INCONSISTENT, // the outer surface intersects itself, or nearly does
} cut_result;

typedef struct cut_faces {
    int32_t count;
    size_t capacity;
    cut_face *items;
} cut_faces;

typedef enum cut_kind { CUT_OUTER, CUT_INNER } cut_kind;

// A triangle to be divided.
typedef struct cut_triangle {
    cut_kind kind;
    int32_t number;
    int32_t corner[3]; // as faces have them
    sherd_vec3 at[3];
    uint64_t order[3];           // for the order in which points along its edges were computed
    int32_t count;               // number of its segments
    const crossing *segments;    // their points are indices in the list
    const crossing_point *point; // points of the list
    int32_t first_point;         // corner index of the list's first point
} cut_triangle;

// Scratch memory, reused from triangle to triangle.
typedef struct cut_divider {
    triangle_divider parts;
    size_t segment_capacity;
    divide_segment *segments;
} cut_divider;

// Appends the parts of a triangle.
cut_result sherd_cut_divide(cut_divider *d, const cut_triangle *t, cut_faces *faces);
void sherd_cut_divider_release(cut_divider *d);

// Connected components of vertices of one list, joined by triangles that cross nothing. All
// vertices of a component have one value; divided triangles that share its vertices determine it.

typedef struct cut_components {
    int32_t count;
    int32_t *of;    // component of each vertex
    int32_t *known; // value known from the list's own divided triangles, else CUT_UNKNOWN  (count)
    int32_t *value; // final value: see cut_link.h                                          (count)
} cut_components;

// The triangles of a list; corners are `stride` bytes apart.
typedef struct cut_triangles {
    int32_t vertex_count, count;
    const int32_t *corner;
    size_t stride;
    const uint8_t *divided;
} cut_triangles;

// `faces` are the parts of the divided triangles. Call release in any case.
cut_result sherd_cut_components_find(cut_components *c, const cut_triangles *t,
                                     const cut_faces *faces);
void sherd_cut_components_release(cut_components *c);

// Fragments that have faces in a list, ascending.
typedef struct cut_labels {
    int32_t count;
    size_t capacity;
    sherd_fragment_id *label;
} cut_labels;

// Returns false when out of memory.
bool sherd_cut_labels_add(cut_labels *l, sherd_fragment_id label);
void sherd_cut_labels_release(cut_labels *l);
