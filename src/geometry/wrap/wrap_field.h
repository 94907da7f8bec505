// What is inside of a triangle soup: where its winding number is at least one half, or, of a shell, what is nearer to a
// triangle than half its thickness.
#pragma once

#include "geometry/mesh/mesh_tree.h"
#include "geometry/wrap/winding.h"

typedef struct wrap_field {
    const sherd_mesh *mesh;
    const sherd_mesh_tree *tree;
    const sherd_winding *winding; // not of a shell
    sherd_bounds bounds;          // nothing is inside beyond them
    double half_thickness;        // of a shell [m]; 0: none
} wrap_field;

// Inside where >= 0. Winding number less a half, or depth in the shell [m].
double sherd_wrap_field_value(const wrap_field *field, sherd_vec3 p);

// Where the way between two points, one inside and one not, comes out, as its share from `a`. The values are those at its ends.
// Triangles on it are met exactly; between them the winding number is taken to change evenly.
double sherd_wrap_field_crossing(const wrap_field *field, sherd_vec3 a, sherd_vec3 b,
                                 double value_a, double value_b);
