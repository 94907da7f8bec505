// Drivers of regions of material points. Moved points have their prescribed velocities when they
// are transferred to the grid, nodes have them there (models/mpm/drivers/mpm_drivers.h), and points
// have them again after the transfer back. Points move with the nodes, so that their positions at
// the edge of a region differ from the prescribed ones by some hundredths of a cell.
#pragma once

#include "models/mpm/drivers/mpm_drivers.h"
#include "stepping/system.h"

typedef struct sherd_driven_point {
    sherd_vec3 before; // velocity before the step [m/s]
    sherd_vec3 start;  // prescribed position at the start of the step [m]
    sherd_vec3 held;   // prescribed [m/s]
    sherd_vec3 given;  // impulse by its driver [N s]
} sherd_driven_point;

typedef struct sherd_grid_drivers {
    size_t *index_of;           // index of each element's point (elements)
    double *acceleration[3];    // by prescribed forces (elements) [m/s^2]
    sherd_driven_point *points; // of all drivers, concatenated
    sherd_mpm_driver *holds;    // of drivers that move their regions (hold_count)
    size_t *held_at;            // concatenated
    sherd_vec3 *held_velocity;  // likewise [m/s]
    sherd_vec3 *held_lag;       // likewise [m]
    int hold_count;
    double moved; // upper bound of the displacement of points in this step [m]
} sherd_grid_drivers;

// Does nothing without drivers.
sherd_status sherd_grid_drivers_make(sherd_grid_drivers *drivers, const sherd_system *system,
                                     sherd_error *error);
void sherd_grid_drivers_free(sherd_grid_drivers *drivers);

// Before and after the transfer to the grid and back, in the step over dt to `time`. The drivers'
// work is booked, and reactions are added to the probes.
void sherd_grid_drivers_begin(sherd_grid_drivers *drivers, sherd_system *system, double dt,
                              double time);
void sherd_grid_drivers_end(sherd_grid_drivers *drivers, sherd_system *system, double dt);
// After that, and after nearby bodies got their loads: adds this step to the range of probes.
void sherd_grid_drivers_note(sherd_system *system, double dt);
