// Contact springs between material points and coupled bodies
// (models/mpm/surface/mpm_penalty_contact.h).
#pragma once

#include "stepping/grid/grid_coupled.h"

sherd_coupled_carrier sherd_coupled_carrier_of(const sherd_grid_coupling *coupling,
                                               const sherd_system *part,
                                               const sherd_grid_coupled_body *coupled);
// The index of a coupled body's layers; `members` are the system indices of the part's elements.
uint32_t sherd_coupled_body(const sherd_grid_coupling *coupling, const sherd_system *system,
                            const sherd_element_index *members,
                            const sherd_grid_coupled_body *coupled);
// The wall of a free body (models/mpm/grid/mpm_walls.h); `context` is its obstacle.
double sherd_coupled_surface(const void *context, const double x[3], double normal[3]);

// Lists them for a step. False: out of memory.
bool sherd_grid_coupled_contact_begin(sherd_grid_coupling *coupling, const sherd_system *system,
                                      const sherd_system *part, const sherd_element_index *members);
// Applies the present spring forces over dt.
void sherd_grid_coupled_contact_pull(sherd_system *system, const sherd_system *part, double dt);
