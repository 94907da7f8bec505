// Prescribed motion: a table of times with translation and rotation, linear in between, plus
// constant velocities. Used by driven obstacles and by drivers on regions of elements.
#pragma once

#include <sherd/field.h>
#include <sherd/types.h>

typedef struct sherd_motion_key {
    double time;            // [s], strictly increasing along the table
    sherd_vec3 translation; // from the start [m]
    sherd_vec3 rotation;    // rotation vector about the pivot, world axes [rad]
} sherd_motion_key;

// Held at the first key before it and at the last key after it. With no keys and zero velocities
// the region or obstacle is held fast. Both add: translation(t) = table(t) + velocity t.
typedef struct sherd_motion {
    int key_count;
    const sherd_motion_key *keys; // borrowed while the definition is read, then copied
    sherd_vec3 velocity;          // [m/s]
    sherd_vec3 angular_velocity;  // about the pivot, world axes [rad/s]
    sherd_vec3 pivot;             // [m], world, at time 0
} sherd_motion;

// A driver's or driven obstacle's course is known from the start, or given piece by piece between steps:
// sherd_world_move_driver, sherd_world_move_obstacle.
SHERD_API const sherd_definition *sherd_motion_fields(void);
