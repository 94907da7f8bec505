// The outer surface of a whole body in its rest frame, made ready for being cut.
//
// Triangles are the body's own; those longer than asked for are halved in their plane, so that bodies
// can bend and no triangle is cut into very many parts. Corners know the normal of their face's smooth
// surroundings and, where the mesh has them, texture coordinates.
#pragma once

#include "geometry/bvh.h"
#include "geometry/exact/exact.h"
#include "geometry/shape/shape_look.h"

#include <sherd/shape.h>

#include <stddef.h>

typedef struct outline {
    int32_t vertex_count, triangle_count, edge_count;
    sherd_vec3 *position;  //                                              [m] (vertices)
    int32_t *triangle;     // corners, counter-clockwise from outside          (triangles x 3)
    int32_t *edge;         // edge from corner k to k + 1                      (triangles x 3)
    sherd_vec3 *normal;    // unit, by corner                                  (triangles x 3)
    float *uv;             // by corner, or NULL                               (triangles x 3 x 2)
    exact_lattice lattice; // covers the body and `margin` around it
    exact_point *exact;    //                                                  (vertices)
    uint64_t salt;         // of the last shake
    sherd_bvh tree;        // of the triangles
    sherd_shape *solid;    // the same mesh: which side of it a point is on
    double volume;         // [m^3]
    char *note;            // sherd_shape_look's; NULL: none
} outline;

// `shape`'s surface, round ones with edges of about `edge`, longer ones than `longest` halved; the
// lattice reaches `margin` beyond. An error
// where the shape has no closed surface.
sherd_status sherd_outline_create(outline *o, const sherd_shape *shape, double edge, double longest,
                                  double margin, sherd_error *error);
void sherd_outline_release(outline *o);
// Moves all lattice points otherwise.
void sherd_outline_shake(outline *o, uint64_t salt);

static inline sherd_bounds outline_triangle_bounds(const outline *o, int32_t t)
{
    const int32_t *c = o->triangle + 3 * (size_t)t;
    const sherd_vec3 *p = o->position;
    sherd_bounds b = {p[c[0]], p[c[0]]};
    for (int k = 1; k < 3; ++k) {
        sherd_vec3 x = p[c[k]];
        b.low.x = x.x < b.low.x ? x.x : b.low.x, b.high.x = x.x > b.high.x ? x.x : b.high.x;
        b.low.y = x.y < b.low.y ? x.y : b.low.y, b.high.y = x.y > b.high.y ? x.y : b.high.y;
        b.low.z = x.z < b.low.z ? x.z : b.low.z, b.high.z = x.z > b.high.z ? x.z : b.high.z;
    }
    return b;
}
