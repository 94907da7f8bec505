// Bonded elements and free rigid bodies near material points: the first region of the system
// (regions/regions.h). It takes explicit steps of its own within one step of the grid. Points are
// in no region. With methods that do not switch, all elements and free bodies are in it.
#pragma once

#include "stepping/stepper.h"

// The part; NULL: there is none.
sherd_system *sherd_grid_part(const sherd_system *system);
const sherd_element_index *sherd_grid_part_members(const sherd_system *system);

// Creates the part of all elements and free bodies, if there are any and it does not exist yet.
sherd_status sherd_grid_part_make(sherd_system *system, sherd_error *error);

// Advances it by dt to `time`, in as many steps as its stability limit times settings->safety
// requires: the number of steps, one step, and the end, which returns loads of obstacles, sums of
// probes and accounts to the system and the upper bound of all displacements [m].
int64_t sherd_grid_part_begin(sherd_system *system, const sherd_method_settings *settings,
                              double dt, double time);
sherd_status sherd_grid_part_step(sherd_system *system, const sherd_method_settings *settings,
                                  sherd_error *error);
double sherd_grid_part_end(sherd_system *system, double dt, double time);

// Copies the part's state to the system's elements.
sherd_status sherd_grid_part_show(sherd_system *system, sherd_error *error);
