// What the steps of a mesh boolean share: both meshes in one, where edges of one pierce triangles of the other,
// and the segments in which triangles cut each other.
#pragma once

#include "geometry/boolean/boolean.h"

#include "math/vec3.h"

#include <stddef.h>

// Where an edge of one mesh pierces a triangle of the other. Its vertex is `given_vertices` + its index.
typedef struct boolean_point {
    int32_t low, high; // ends of the edge, low < high
    int32_t triangle;
    double t; // share of the way from low to high
} boolean_point;

// Of triangle `triangle` within `other`, from vertex to vertex; each is there for both.
typedef struct boolean_segment {
    int32_t triangle, other, from, to;
} boolean_segment;

typedef struct boolean_work {
    bool cut; // a difference
    const sherd_mesh *a, *b;
    int32_t given_vertices; // of a, then of b; points follow
    int32_t given_triangles, first_b;
    sherd_vec3 *vertex;
    size_t vertex_count, vertex_capacity;
    int32_t *triangle; // corners                                         (given_triangles x 3)
    boolean_point *points;
    size_t point_count, point_capacity;
    int32_t *slots; // hash table of points, index + 1; 0: free           (slot_count)
    size_t slot_count;
    int32_t *by_edge;          // points in the order of edges and along them      (point_count)
    boolean_segment *segments; // in the end by triangle
    size_t segment_count, segment_capacity;
    int32_t *kept; // triangles of the result                             (kept_count x 3)
    size_t kept_count, kept_capacity;
    bool out_of_memory, contradictory; // the latter: no closed meshes cut like this
    bool folded;                       // rounding has turned triangles of nearly no area round
} boolean_work;

// Fills points and segments. False with one of the two flags.
bool sherd_boolean_cut(boolean_work *w);

// The points on the edge between two vertices, `*count` of by_edge; NULL where there are none.
const int32_t *sherd_boolean_on_edge(const boolean_work *w, int32_t u, int32_t v, size_t *count);

// Appends the triangle to the result as it is, or, where it is b's and that is cut away, turned round.
bool sherd_boolean_keep(boolean_work *w, int32_t of, int32_t a, int32_t b, int32_t c);
// Whether what lies inside the other mesh, or outside, of a triangle stays.
static inline bool boolean_stays(const boolean_work *w, int32_t triangle, bool inside)
{
    return inside == (w->cut && triangle >= w->first_b);
}

// Divides a triangle along its segments, and keeps what stays. False with one of the two flags.
bool sherd_boolean_divide(boolean_work *w, int32_t triangle, const boolean_segment *segments,
                          size_t segment_count);

static inline sherd_vec3 boolean_normal(const boolean_work *w, int32_t triangle)
{
    const int32_t *c = w->triangle + 3 * (size_t)triangle;
    return vec3_normalize(vec3_cross(vec3_sub(w->vertex[c[1]], w->vertex[c[0]]),
                                     vec3_sub(w->vertex[c[2]], w->vertex[c[0]])));
}
