// The middle surface of a thin wall, as unconnected triangles: both faces of the wall moved inwards
// by half its thickness, where they coincide. Rims are omitted; they form the border.
#pragma once

#include "geometry/mesh/mesh_tree.h"

#include <sherd/shape.h>

#include <stddef.h>

typedef struct sherd_shell_border {
    sherd_vec3 point;
    sherd_vec3 outward; // along the wall, away from it
} sherd_shell_border;

typedef struct sherd_shell_target {
    sherd_mesh *mesh; // vertices are not shared
    sherd_mesh_tree tree;
    double *area_before; // prefix sums of areas    (triangles + 1) [m^2]
    double area;         // of the middle: half of both faces' [m^2]
    double thickness;    // median [m]
    size_t border_count, border_capacity;
    sherd_shell_border *border;
} sherd_shell_target;

// `spacing` is the distance of elements [m]. SHERD_ERROR_INPUT if the shape is not a thin wall, or
// if one layer would need more elements than `most`.
sherd_status sherd_shell_target_init(sherd_shell_target *target, const sherd_shape *shape,
                                     double spacing, int64_t most, sherd_error *error);
void sherd_shell_target_free(sherd_shell_target *target);

// The number of elements of one layer, `spacing` apart.
double sherd_shell_target_elements(const sherd_shell_target *target, double spacing);

// Unit normal of one of its triangles; either side.
sherd_vec3 sherd_shell_target_normal(const sherd_shell_target *target, int32_t triangle);

// Moves `p` to the middle of the wall along its normal there; returns the wall's thickness.
double sherd_shell_centre(const sherd_shape *shape, sherd_vec3 normal, double limit, sherd_vec3 *p);
