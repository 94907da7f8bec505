// The interior of a triangle soup: points with a winding number of at least one half, or, for a
// shell, points nearer to a triangle than half its thickness.
#pragma once

#include "geometry/mesh/mesh_tree.h"
#include "geometry/mesh/mesh_work.h"
#include "geometry/wrap/winding.h"
#include "geometry/wrap/winding_crossings.h"

typedef struct wrap_field {
    const sherd_mesh *mesh;
    const sherd_mesh_tree *tree;
    // A solid has one of these, a shell none.
    const sherd_winding *winding;
    const sherd_winding_crossings *crossings;
    sherd_bounds bounds;   // nothing outside them is inside the solid
    double half_thickness; // of a shell [m]; 0: none
    sherd_mesh_work *work; // of all searches; results are invalid if none is left
} wrap_field;

// Expected work of a search, which is not counted: the number of searches depends on the requested
// edge length, not on the mesh. It is about thirty microseconds, the work of five hundred triangles
// that lie around each other, and more in larger meshes.
enum { WRAP_FREE_WORK = 3000, WRAP_MAX_FREE_WORK = 12000 };

static inline void wrap_field_spend(const wrap_field *field, int64_t work)
{
    int64_t more = WRAP_FREE_WORK + (int64_t)field->mesh->triangle_count;
    int64_t free = more < WRAP_MAX_FREE_WORK ? more : WRAP_MAX_FREE_WORK;
    if (work > free) mesh_work_spend(field->work, work - free);
    mesh_work_expect(field->work, work < free ? work : free);
}

// Inside if >= 0. Winding number minus a half, or depth in the shell [m].
double sherd_wrap_field_value(const wrap_field *field, sherd_vec3 p);
// Returns the distance of a point from the triangles [m].
double sherd_wrap_field_distance(const wrap_field *field, sherd_vec3 p);

// Returns where the segment between a point inside and one outside leaves the solid, as a fraction
// from `a`. The values are those at its ends. Triangles on the segment are hit exactly; between
// them the winding number is taken to change linearly.
double sherd_wrap_field_crossing(const wrap_field *field, sherd_vec3 a, sherd_vec3 b,
                                 double value_a, double value_b);
