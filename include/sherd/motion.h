// Prescribed motion of driven obstacles and drivers: a table of translations and rotations over
// time, linear in between, plus constant velocities.
#pragma once

#include <sherd/field.h>
#include <sherd/types.h>

// One row of the table.
typedef struct sherd_motion_key {
    double time;            // [s], strictly increasing along the table
    sherd_vec3 translation; // from the start [m]
    sherd_vec3 rotation;    // rotation vector about the pivot, world axes [rad]
} sherd_motion_key;

// A motion. Before the first key and after the last one the table is constant. Table and velocities
// add: translation(t) = table(t) + velocity t. Without keys and with zero velocities the region or
// obstacle is fixed.
typedef struct sherd_motion {
    int key_count;                // number of keys, >= 0
    const sherd_motion_key *keys; // copied when the driver or obstacle is added (key_count)
    sherd_vec3 velocity;          // constant velocity [m/s]
    sherd_vec3 angular_velocity;  // about the pivot, world axes [rad/s]
    sherd_vec3 pivot;             // centre of rotations, in the world at time 0 [m]
} sherd_motion;

// Returns the table of the members of a sherd_motion; static. A motion can also be given piece by
// piece between steps: sherd_world_move_driver, sherd_world_move_obstacle.
SHERD_API const sherd_definition *sherd_motion_fields(void);
