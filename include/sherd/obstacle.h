// What elements and points collide with: half-spaces and shapes, fixed, driven or free.
#pragma once

#include <sherd/field.h>
#include <sherd/motion.h>
#include <sherd/shape.h>

#include <stdbool.h>

typedef enum sherd_obstacle_kind {
    SHERD_OBSTACLE_FIXED = 0,
    SHERD_OBSTACLE_DRIVEN, // follows `motion`
    SHERD_OBSTACLE_FREE,   // a rigid body with mass and inertia; also collides with other obstacles
} sherd_obstacle_kind;

typedef struct sherd_obstacle_def {
    uint32_t cookie;
    const char *name; // copied, may be NULL
    sherd_obstacle_kind kind;
    // Either a half-space or a shape.
    bool is_plane;            // solid below the plane through pose.position with normal R e_z
    const sherd_shape *shape; // in the obstacle's own frame; borrowed for the life of the world
    sherd_pose pose;          // at time 0; for FREE bodies too
    sherd_motion motion;      // DRIVEN only
    // FREE only:
    double density; // [kg/m^3] mass, centre and inertia follow from the shape
    double mass;    // [kg], > 0 overrides density
    sherd_vec3 velocity, angular_velocity; // [m/s], [rad/s], world axes, about the centre of mass
    // Contact:
    double friction;    // NAN = the touching material's (default)
    double restitution; // NAN = the touching material's (default)
    bool sticky;        // material points that touch it move with it; default false
} sherd_obstacle_def;

SHERD_API sherd_obstacle_def sherd_obstacle_def_default(void);
SHERD_API const sherd_definition *sherd_obstacle_def_fields(void);
