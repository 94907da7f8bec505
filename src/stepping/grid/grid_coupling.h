// Coupling of elements and free rigid bodies to the grid (models/mpm/coupling/mpm_coupling.h):
// their volume samples, and the momentum and angular momentum that nodes give them.
#pragma once

#include "stepping/grid/grid_coupled.h"

void sherd_grid_coupling_destroy(sherd_grid_coupling *coupling); // NULL is fine
// Lists nearby bodies again in the next step.
void sherd_grid_coupling_forget(sherd_system *system);

// For a system that has a part (grid_part.h).
sherd_status sherd_grid_coupling_make(sherd_system *system, sherd_error *error);

// Sorts points if that is due, with room for coupled bodies, and sets up the coupled bodies of
// system->points->m for the next step over dt, in which `move` will advance them with `context`.
sherd_status sherd_grid_coupling_begin(sherd_system *system, double dt,
                                       sherd_status (*move)(void *context, sherd_error *error),
                                       void *context, sherd_error *error);

// Without the axes along which a driver holds an element.
sherd_vec3 sherd_coupled_without_held(uint8_t held, sherd_vec3 impulse);

// Contact impulses at nodes act on coupled bodies evenly over their own steps within the grid's
// step, as a force would: half of a step's part before and half after it. So bodies that lie on
// points stay at rest in every step, without waves. Springs act with their present forces.
void sherd_grid_coupling_gather(sherd_system *system); // takes impulses from nodes
// Applies them over a fraction of the grid's step: a whole step of their own, or half of one; `elapsed`
// is the time since the start of the grid's step [s].
void sherd_grid_coupling_kick(sherd_system *system, double fraction, bool whole, double elapsed);
void sherd_grid_coupling_done(sherd_system *system); // books the impulses
// Gives the system's free bodies the velocities after the kicks, and adds the loads of a step to
// the mean loads for probes.
void sherd_grid_coupling_load(sherd_system *system, double dt);

// Largest speed of any element or free body [m/s].
double sherd_grid_coupling_speed(const sherd_system *system);
