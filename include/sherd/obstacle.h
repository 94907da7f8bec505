// Obstacles: half-spaces and shapes that elements and points collide with; fixed, driven or free.
#pragma once

#include <sherd/field.h>
#include <sherd/motion.h>
#include <sherd/shape.h>

#include <stdbool.h>

// How an obstacle moves.
typedef enum sherd_obstacle_kind {
    SHERD_OBSTACLE_FIXED = 0, // not at all
    SHERD_OBSTACLE_DRIVEN,    // follows `motion`
    SHERD_OBSTACLE_FREE, // a rigid body with mass and inertia; also collides with other obstacles
} sherd_obstacle_kind;

// Definition of an obstacle: either a half-space or a shape.
typedef struct sherd_obstacle_def {
    uint32_t cookie;          // set by sherd_obstacle_def_default; any other value is rejected
    const char *name;         // copied, may be NULL
    sherd_obstacle_kind kind; // default FIXED
    // True: the half-space below the plane through pose.position with normal R e_z. Default false.
    bool is_plane;
    const sherd_shape *shape; // in its own frame; borrowed for the life of the world
    sherd_pose pose;          // at time 0
    sherd_motion motion;      // DRIVEN: its motion
    double density;           // FREE: [kg/m^3]; mass, centre and inertia follow from the shape
    double mass;              // FREE: [kg]; > 0 overrides density
    // FREE: of and about the centre of mass, world axes [m/s], [rad/s]
    sherd_vec3 velocity, angular_velocity;
    double friction;    // Coulomb coefficient, >= 0; NAN (default): that of the material in contact
    double restitution; // [0, 1]; NAN (default): that of the material in contact
    bool sticky;        // true: material points in contact move with it; default false
} sherd_obstacle_def;

// Returns a definition with the defaults above. Set is_plane or a shape.
SHERD_API sherd_obstacle_def sherd_obstacle_def_default(void);
// Returns the table of the definition's members; static.
SHERD_API const sherd_definition *sherd_obstacle_def_fields(void);
