// The outer surface of a whole undeformed body, prepared for cutting.
//
// Triangles are the body's own; edges longer than requested are halved in their plane, so that
// bodies can bend and no triangle is cut into very many parts. Corners have the normal of their
// face's smooth neighbourhood and, if the mesh has them, texture coordinates.
#pragma once

#include "geometry/bvh.h"
#include "geometry/exact/exact.h"
#include "geometry/shape/shape_display_mesh.h"

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
    uint64_t salt;         // of the last perturbation
    sherd_bvh tree;        // of the triangles
    sherd_shape *solid;    // the same mesh as a shape: decides on which side a point lies
    double volume;         // [m^3]
    char *note;            // note from sherd_shape_display_mesh; NULL: none
} outline;

// Builds the surface of `shape`: curved shapes with edges of about `edge`, edges longer than
// `longest` halved. The lattice extends `margin` beyond it. Fails if the shape has no closed
// surface.
sherd_status sherd_outline_create(outline *o, const sherd_shape *shape, double edge, double longest,
                                  double margin, sherd_error *error);
void sherd_outline_release(outline *o);
// Perturbs all lattice points anew.
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
