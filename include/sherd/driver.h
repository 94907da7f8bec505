// What moves or loads a region of elements, or measures it.
#pragma once

#include <sherd/field.h>
#include <sherd/motion.h>
#include <sherd/shape.h>

#include <stdbool.h>

// A region of elements, chosen by their positions at time 0.
typedef struct sherd_region {
    sherd_body_id body;       // only elements of this body; null = all bodies
    const sherd_shape *shape; // only elements whose centre is inside; NULL = all
    sherd_pose pose;          // of the shape, world
} sherd_region;

typedef enum sherd_drive {
    SHERD_DRIVE_MOTION = 0, // elements of the region move and turn as one rigid body, as prescribed
    SHERD_DRIVE_FORCE,      // a total force, shared by mass
    SHERD_DRIVE_NONE,       // nothing is prescribed: the driver only measures (a probe)
} sherd_drive;

typedef struct sherd_driver_def {
    uint32_t cookie;
    const char *name;
    sherd_region region;
    sherd_drive drive;
    sherd_motion motion; // MOTION
    bool free_axes[3];   // MOTION: leave translation along x, y, z free (rollers); default false.
                         // Rotations are then left free too
    sherd_vec3 force;    // FORCE: total [N], times the table below
    int force_key_count; // optional table of factors over time, linear in between
    const double *force_times, *force_factors;
} sherd_driver_def;

SHERD_API sherd_driver_def sherd_driver_def_default(void);
SHERD_API const sherd_definition *sherd_driver_def_fields(void);
