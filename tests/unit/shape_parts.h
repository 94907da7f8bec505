// Shapes that tests put together.
#pragma once

#include "math/quat.h"

#include <sherd/shape.h>

static inline sherd_shape *box(double x, double y, double z)
{
    return sherd_shape_box((sherd_vec3){x, y, z}, NULL);
}

static inline sherd_shape *ball(double radius)
{
    return sherd_shape_sphere(radius, NULL);
}

static inline sherd_shape *rod(double radius, double height)
{
    return sherd_shape_cylinder(radius, height, NULL);
}

// Moved, and turned about an axis by an angle.
static inline sherd_shape *at(sherd_shape *shape, sherd_vec3 position, sherd_vec3 turn)
{
    return sherd_shape_placed(shape, (sherd_pose){position, quat_from_rotation_vector(turn)}, NULL);
}

static inline sherd_shape *without(sherd_shape *a, sherd_shape *b)
{
    return sherd_shape_difference(a, b, NULL);
}
