// Small value types that every public header uses. The library computes in SI units throughout.
#pragma once

#include <stdint.h>

// A vector in the plane.
typedef struct sherd_vec2 {
    double x, y; // components
} sherd_vec2;

// A vector in space.
typedef struct sherd_vec3 {
    double x, y, z; // components
} sherd_vec3;

// A unit quaternion; w is the real part. As an orientation it rotates a body's rest frame into the
// world: v_world = R(q) v_rest.
typedef struct sherd_quat {
    double x, y, z, w; // components
} sherd_quat;

// Position and orientation of a rigid object: x_world = R(rotation) x_local + position.
typedef struct sherd_pose {
    sherd_vec3 position; // [m]
    sherd_quat rotation; // [-] unit quaternion
} sherd_pose;

// An axis-aligned box. It is empty if low > high in any component.
typedef struct sherd_bounds {
    sherd_vec3 low, high; // corners [m]
} sherd_bounds;

typedef int32_t sherd_element_index; // number of an element (rigid sphere or point) of one world
typedef int64_t sherd_bond_index;    // number of a bond of one world
typedef int32_t sherd_body_index;    // number of a body, in the order in which bodies were added

// The rotation by zero.
static const sherd_quat SHERD_QUAT_IDENTITY = {0.0, 0.0, 0.0, 1.0};

// Handles are small values. A zero-filled handle is null. Handles stay valid for the life of the
// world that returned them.

// Handle of a material.
typedef struct sherd_material_id {
    uint16_t index1, generation; // number from 1, 0 for null; always 1 for a valid handle
} sherd_material_id;
// Handle of a body.
typedef struct sherd_body_id {
    uint32_t index1;     // number from 1, 0 for null
    uint32_t generation; // always 1 for a valid handle
} sherd_body_id;
// Handle of an obstacle.
typedef struct sherd_obstacle_id {
    uint16_t index1, generation; // number from 1, 0 for null; always 1 for a valid handle
} sherd_obstacle_id;
// Handle of a driver.
typedef struct sherd_driver_id {
    uint16_t index1, generation; // number from 1, 0 for null; always 1 for a valid handle
} sherd_driver_id;
