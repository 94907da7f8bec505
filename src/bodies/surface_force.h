// Wind, blast and pressure on one face.
#pragma once

#include "bodies/blast_wave.h"
#include "points/face.h"

#include <sherd/driver.h>

enum { SHERD_GUST_MODES = 8 };

// Waves of which gusts consist: amplitude a cos(k.(x - v t) + phase), with a at right angles to k.
typedef struct sherd_gust_mode {
    sherd_vec3 wave, amplitude; // [1/m]; of 1 m/s root mean square altogether [-]
    double phase;
} sherd_gust_mode;

typedef struct sherd_surface_force {
    sherd_drive drive; // WIND, BLAST or PRESSURE
    sherd_wind wind;
    sherd_blast blast;
    sherd_pressure pressure;
    sherd_gust_mode gust[SHERD_GUST_MODES];
    sherd_blast_table blast_table;
} sherd_surface_force;

// A face in the world.
typedef struct sherd_moving_face {
    const sherd_face *face;
    sherd_vec3 position, velocity, normal; // [m], [m/s], that of `face` in the world
} sherd_moving_face;

static inline bool sherd_drive_is_on_surface(sherd_drive drive)
{
    return drive == SHERD_DRIVE_WIND || drive == SHERD_DRIVE_BLAST || drive == SHERD_DRIVE_PRESSURE;
}

void sherd_surface_force_init(sherd_surface_force *force, const sherd_driver_def *def);

// Mean force on the face from `time` for dt, as it is now; dt = 0: that of the moment [N]. `factor`
// is the table's. *resistance gets its derivative with respect to the face's velocity, without sign
// [N s/m].
typedef struct sherd_force_moment {
    double time, dt, factor;
} sherd_force_moment;
sherd_vec3 sherd_surface_force_on(const sherd_surface_force *force, const sherd_moving_face *moving,
                                  const sherd_force_moment *moment, double *resistance);

// How long after `time` the force on a face may be taken as it is then; its arrival if a blast has
// not reached the face [s]. INFINITY: for ever.
double sherd_surface_force_lasts(const sherd_surface_force *force, const sherd_moving_face *moving,
                                 double time);

// The velocity of the air at a place [m/s].
sherd_vec3 sherd_wind_velocity(const sherd_surface_force *force, sherd_vec3 at, double time,
                               double factor);
