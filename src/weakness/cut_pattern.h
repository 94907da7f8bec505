// Patterns that cut bonds along a surface, and the faces of the cut.
#pragma once

#include "geometry/bvh.h"
#include "geometry/mesh/mesh_tree.h"
#include "geometry/polygon.h"
#include "math/vec3.h"
#include "weakness/pattern.h"

#include <sherd/mesh.h>

// Triangulated sheets, open or closed, and tests whether a segment crosses any of their triangles.

typedef struct sherd_cut_sheet {
    sherd_bvh bvh;            // over the triangles
    sherd_vec3 (*corners)[3]; // (triangles)
} sherd_cut_sheet;

typedef struct cut_pattern {
    sherd_weakness base;
    sherd_cut_kind cut;
    sherd_vec3 point, u, v, normal; // local coordinates in the plane
    double radius;
    sherd_polygon polygon; // in local coordinates
    const sherd_shape *shape;
    sherd_cut_sheet sheet;
    sherd_mesh_tree tree; // for a sheet
} cut_pattern;

static inline sherd_vec2 sherd_cut_in_plane(const cut_pattern *p, sherd_vec3 x)
{
    sherd_vec3 d = vec3_sub(x, p->point);
    return (sherd_vec2){vec3_dot(d, p->u), vec3_dot(d, p->v)};
}

// Implements sherd_pattern_kind.face.
bool sherd_cut_face_near(const sherd_weakness *base, sherd_vec3 x, double reach,
                         sherd_cut_face *face);
