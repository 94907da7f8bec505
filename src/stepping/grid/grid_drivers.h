// Drivers of regions of material points. Points that are moved have their prescribed velocities when they go to the grid,
// nodes have them there (models/mpm/drivers/mpm_drivers.h), and points have their prescribed velocities again when they come back.
// They go where nodes take them, which at the edge of a region is some hundredths of a cell from where they should be.
#pragma once

#include "models/mpm/drivers/mpm_drivers.h"
#include "stepping/system.h"

typedef struct sherd_driven_point {
    sherd_vec3 before; // velocity before the step [m/s]
    sherd_vec3 start;  // where it should be when the step begins [m]
    sherd_vec3 held;   // prescribed [m/s]
    sherd_vec3 given;  // impulse by its driver [N s]
} sherd_driven_point;

typedef struct sherd_grid_drivers {
    size_t *place;              // of each element's point (elements)
    double *acceleration[3];    // by prescribed forces (elements) [m/s^2]
    sherd_driven_point *points; // of all drivers, one after the other
    sherd_mpm_driver *holds;    // of drivers that move their regions (hold_count)
    size_t *held_at;            // of all of these, one after the other
    sherd_vec3 *held_velocity;  // likewise [m/s]
    sherd_vec3 *held_lag;       // likewise [m]
    int hold_count;
    double moved; // bound of how far a point is moved in this step [m]
} sherd_grid_drivers;

// Nothing without drivers.
sherd_status sherd_grid_drivers_make(sherd_grid_drivers *drivers, const sherd_system *system,
                                     sherd_error *error);
void sherd_grid_drivers_free(sherd_grid_drivers *drivers);

// Before and after points went to the grid and back, in the step over dt to `time`. Their work is booked, and reactions are
// added to the probes.
void sherd_grid_drivers_begin(sherd_grid_drivers *drivers, sherd_system *system, double dt,
                              double time);
void sherd_grid_drivers_end(sherd_grid_drivers *drivers, sherd_system *system, double dt);
// After that, and after what is near points gave its loads: the range of probes knows this step.
void sherd_grid_drivers_note(sherd_system *system, double dt);
