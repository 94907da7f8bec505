// Small value types used by every public header. SI units everywhere inside the library.
#pragma once

#include <stdint.h>

typedef struct sherd_vec2 {
    double x, y;
} sherd_vec2;

typedef struct sherd_vec3 {
    double x, y, z;
} sherd_vec3;

// Unit quaternion, w is the real part. Rotates a body's rest frame into the world: v_world = R(q) v_rest.
typedef struct sherd_quat {
    double x, y, z, w;
} sherd_quat;

// Position and orientation of something rigid: x_world = R(rotation) x_local + position.
typedef struct sherd_pose {
    sherd_vec3 position; // [m]
    sherd_quat rotation; // [-] unit quaternion
} sherd_pose;

// Axis-aligned box. Empty when low > high in any component.
typedef struct sherd_bounds {
    sherd_vec3 low, high; // [m]
} sherd_bounds;

typedef int32_t sherd_element_index; // counts elements (rigid spheres) of one world
typedef int64_t sherd_bond_index;    // counts bonds of one world
typedef int32_t sherd_body_index;    // counts bodies in the order they were added

static const sherd_quat SHERD_QUAT_IDENTITY = {0.0, 0.0, 0.0, 1.0};

// Handles. Zero-filled is null. They stay valid for the life of the world.
typedef struct sherd_material_id {
    uint16_t index1, generation;
} sherd_material_id;
typedef struct sherd_body_id {
    uint32_t index1;
    uint32_t generation;
} sherd_body_id;
typedef struct sherd_obstacle_id {
    uint16_t index1, generation;
} sherd_obstacle_id;
typedef struct sherd_driver_id {
    uint16_t index1, generation;
} sherd_driver_id;
