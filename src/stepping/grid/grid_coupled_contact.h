// Coupled bodies as springs of points meet them (models/mpm/surface/mpm_penalty_contact.h).
#pragma once

#include "stepping/grid/grid_coupled.h"

sherd_coupled_carrier sherd_coupled_carrier_of(const sherd_grid_coupling *coupling,
                                               const sherd_system *part,
                                               const sherd_grid_coupled_body *coupled);
// The number of a coupled body's layers; `members` are numbers of the part's elements in the system.
uint32_t sherd_coupled_body(const sherd_grid_coupling *coupling, const sherd_system *system,
                            const sherd_element_index *members,
                            const sherd_grid_coupled_body *coupled);
// A free body's, as walls have it (models/mpm/grid/mpm_walls.h); `context` is its obstacle.
double sherd_coupled_surface(const void *context, const double x[3], double normal[3]);

// Lists them for a step. False: memory is short.
bool sherd_grid_coupled_contact_begin(sherd_grid_coupling *coupling, const sherd_system *system,
                                      const sherd_system *part, const sherd_element_index *members);
// Springs push them over dt, as they are now.
void sherd_grid_coupled_contact_pull(sherd_system *system, const sherd_system *part, double dt);
