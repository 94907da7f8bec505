// Drivers move or load a region of elements; probes measure it.
#pragma once

#include <sherd/field.h>
#include <sherd/force_field.h>
#include <sherd/motion.h>
#include <sherd/shape.h>

#include <stdbool.h>

// A region of elements, chosen by their positions at time 0.
typedef struct sherd_region {
    sherd_body_id body;       // only elements of this body; null: all bodies
    const sherd_shape *shape; // only elements whose centre is inside; NULL: all
    sherd_pose pose;          // of the shape in the world
} sherd_region;

// What a driver prescribes.
typedef enum sherd_drive {
    SHERD_DRIVE_MOTION = 0, // the region moves as one rigid body along `motion`
    SHERD_DRIVE_FORCE,      // a total force, distributed in proportion to mass
    SHERD_DRIVE_NONE,       // nothing: the driver only measures (a probe)
    SHERD_DRIVE_WIND,       // wind on the region's surface
    SHERD_DRIVE_BLAST,      // the blast of an explosion on the region's surface
    SHERD_DRIVE_PRESSURE,   // a pressure on the region's surface
} sherd_drive;

// Definition of a driver or probe.
typedef struct sherd_driver_def {
    uint32_t cookie;     // set by sherd_driver_def_default; any other value is rejected
    const char *name;    // copied, may be NULL
    sherd_region region; // the elements that it acts on
    sherd_drive drive;   // what it prescribes, default NONE
    sherd_motion motion; // MOTION: the prescribed motion
    // MOTION: leave translation along x, y, z free (rollers), default false. With any free axis,
    // rotations are free too.
    bool free_axes[3];
    sherd_vec3 force;    // FORCE: total [N], multiplied by the table below
    int force_key_count; // length of the table of FORCE, WIND or PRESSURE, 0 (default): constant
    // Strictly increasing times [s] and factors [-] (force_key_count), linear in between and
    // constant outside: of the force, of the velocity of the air, or of the pressure. Borrowed
    // while the driver is added.
    const double *force_times, *force_factors;
    sherd_wind wind;         // WIND
    sherd_blast blast;       // BLAST
    sherd_pressure pressure; // PRESSURE
} sherd_driver_def;

// Returns a definition with the defaults above.
SHERD_API sherd_driver_def sherd_driver_def_default(void);
// Returns the table of the definition's members; static.
SHERD_API const sherd_definition *sherd_driver_def_fields(void);
