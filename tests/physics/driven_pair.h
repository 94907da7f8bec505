// Two elements of 1 mm that touch along x, one bond: both are held, the second follows `keys`.
#pragma once

#include "physics/block.h"

static inline sherd_world *driven_pair(const sherd_material_def *material, sherd_method method,
                                       const sherd_motion_key *keys, int count)
{
    sherd_error error;
    sherd_world *world = weightless_world(method, 0.85);
    sherd_body_def body = sherd_body_def_default();
    const double x[2] = {0.0, 2e-3}, none[2] = {0.0, 0.0}, radius[2] = {1e-3, 1e-3};
    body.count = 2;
    body.x = x, body.y = none, body.z = none, body.radius = radius;
    // 2 * 4/3 pi r^3 fill 4/3 of pi r^2 l0: a crack through this body has the area of the bond's section.
    body.solid_fraction = 4.0 / 3.0;
    body.material = sherd_world_add_material(world, material, &error);
    cr_assert(sherd_world_add_body(world, &body, &error).index1 != 0, "%s", error.what);
    for (int end = 0; end < 2; ++end) {
        sherd_driver_def d = sherd_driver_def_default();
        sherd_shape *box = sherd_shape_box((sherd_vec3){1e-3, 1e-3, 1e-3}, &error);
        d.region.shape = box;
        d.region.pose.position.x = x[end];
        d.drive = SHERD_DRIVE_MOTION;
        if (end == 1) d.motion.keys = keys, d.motion.key_count = count;
        cr_assert(sherd_world_add_driver(world, &d, &error).index1 != 0, "%s", error.what);
        sherd_shape_destroy(box);
    }
    return world;
}
