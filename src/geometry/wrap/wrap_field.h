// What is inside of a triangle soup: where its winding number is at least one half, or, of a shell, what is nearer to a
// triangle than half its thickness.
#pragma once

#include "geometry/mesh/mesh_tree.h"
#include "geometry/mesh/mesh_work.h"
#include "geometry/wrap/winding.h"
#include "geometry/wrap/winding_crossings.h"

typedef struct wrap_field {
    const sherd_mesh *mesh;
    const sherd_mesh_tree *tree;
    // Of a solid one of these, of a shell none.
    const sherd_winding *winding;
    const sherd_winding_crossings *crossings;
    sherd_bounds bounds;   // nothing is inside beyond them
    double half_thickness; // of a shell [m]; 0: none
    sherd_mesh_work *work; // of all searches; what is found means nothing where none is left
} wrap_field;

// Work that is expected of a search and not counted: how many there are depends on the edge length asked for, not on
// the mesh. It is some thirty microseconds, those of five hundred triangles that lie around each other, and more in larger meshes.
enum { WRAP_FREE_WORK = 3000, WRAP_MOST_FREE_WORK = 12000 };

static inline void wrap_field_spend(const wrap_field *field, int64_t work)
{
    int64_t more = WRAP_FREE_WORK + (int64_t)field->mesh->triangle_count;
    int64_t free = more < WRAP_MOST_FREE_WORK ? more : WRAP_MOST_FREE_WORK;
    if (work > free) mesh_work_spend(field->work, work - free);
    mesh_work_expect(field->work, work < free ? work : free);
}

// Inside where >= 0. Winding number less a half, or depth in the shell [m].
double sherd_wrap_field_value(const wrap_field *field, sherd_vec3 p);
// The distance of a place from the triangles [m].
double sherd_wrap_field_distance(const wrap_field *field, sherd_vec3 p);

// Where the way between two points, one inside and one not, comes out, as its share from `a`. The values are those at its ends.
// Triangles on it are met exactly; between them the winding number is taken to change evenly.
double sherd_wrap_field_crossing(const wrap_field *field, sherd_vec3 a, sherd_vec3 b,
                                 double value_a, double value_b);
