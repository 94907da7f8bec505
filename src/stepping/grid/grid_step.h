// Steps of worlds with material points.
#pragma once

#include "stepping/grid/grid_drivers.h"
#include "stepping/grid/grid_walls.h"
#include "stepping/stepper.h"

typedef struct sherd_grid_step {
    sherd_grid_walls walls;
    sherd_grid_drivers drivers;
} sherd_grid_step;

// Before the first of a series of steps, during which nothing is added. Must be freed in any case.
sherd_status sherd_grid_step_make(sherd_grid_step *step, sherd_system *system, sherd_error *error);
void sherd_grid_step_free(sherd_grid_step *step);

// One step over dt, to `time`: obstacles move; points are transferred to the grid, interact there
// with obstacles, elements, free bodies and each other, and are transferred back. Then elements and
// free bodies take their own steps, with half of the contact impulse before and half after.
sherd_status sherd_system_step_grid(sherd_system *system, sherd_grid_step *step,
                                    const sherd_method_settings *settings, double dt, double time,
                                    sherd_error *error);
