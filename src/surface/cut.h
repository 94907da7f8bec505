// A body's outer surface and the crack surface, cut along the lines where they cross: what every
// fragment's surface is made of.
//
// Triangles that cross others are divided along the segments in them (facet.h). On each part of an
// outer triangle the sides of its segments tell whose it is, and on each part of a crack triangle
// whether it is inside the body. Vertices pass this on to triangles that cross nothing. Outer parts of
// one fragment and the inside parts of the crack around it then form its closed surface, since every
// edge of either has been divided alike for both of its triangles.
#pragma once

#include "surface/crossing.h"

// Vertices are numbered: the outline's, the crossing points, the crack's.
typedef struct cut_face {
    int32_t corner[3];
    int32_t parent; // triangle of the outline or of the crack
    int32_t value;  // outer: the fragment; inner: CUT_INSIDE
} cut_face;

enum { CUT_UNKNOWN = 0, CUT_OUTSIDE = 1, CUT_INSIDE = 2 };

typedef struct cut {
    const outline *o;
    crack c;
    crossings x;
    int32_t outer_count, inner_count;
    cut_face *outer, *inner; // inner: those inside the body
} cut;

typedef enum cut_result {
    CUT_OK,
    CUT_MEMORY,
    CUT_DEGENERATE,   // by chance: choose another salt
    CUT_INCONSISTENT, // the outline cuts itself, or nearly
} cut_result;

// Release in any case.
cut_result sherd_cut_make(cut *k, const outline *o, const crack_grid *g, const partition *p,
                          uint64_t salt, const sherd_parallel *parallel);
void sherd_cut_release(cut *k);

static inline sherd_vec3 cut_position(const cut *k, int32_t v)
{
    if (v < k->o->vertex_count) return k->o->position[v];
    v -= k->o->vertex_count;
    if (v < k->x.point_count) return k->x.points[v].position;
    return k->c.position[v - k->x.point_count];
}

// Shares of the parent's corners at a vertex of an outer face.
void sherd_cut_weights(const cut *k, const cut_face *face, int corner, double weight[3]);
