// Guests as springs of points meet them (models/mpm/touch/mpm_touch.h).
#pragma once

#include "stepping/grid/grid_guest.h"

sherd_guest_carrier sherd_guest_carrier_of(const sherd_grid_guests *guests,
                                           const sherd_system *part, const sherd_guest *guest);
// The number of a guest's layers; `members` are numbers of the part's elements in the system.
uint32_t sherd_guest_body(const sherd_grid_guests *guests, const sherd_system *system,
                          const sherd_element_index *members, const sherd_guest *guest);
// A free body's, as walls have it (models/mpm/mpm_walls.h); `context` is its obstacle.
double sherd_guest_surface(const void *context, const double x[3], double normal[3]);

// Lists them for a step. False: memory is short.
bool sherd_grid_springs_begin(sherd_grid_guests *guests, const sherd_system *system,
                              const sherd_system *part, const sherd_element_index *members);
// Springs push them over dt, as they are now.
void sherd_grid_springs_pull(sherd_system *system, const sherd_system *part, double dt);
