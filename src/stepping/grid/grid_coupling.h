// Elements and free rigid bodies as coupled bodies of the grid (models/mpm/coupling/mpm_coupling.h): what they are filled with, and what
// they get from nodes: momentum, and its moment about their centres.
#pragma once

#include "stepping/grid/grid_coupled.h"

void sherd_grid_coupling_destroy(sherd_grid_coupling *coupling); // NULL is fine
// Those that are near are listed anew in the next step.
void sherd_grid_coupling_forget(sherd_system *system);

// For a system that has a part (grid_part.h).
sherd_status sherd_grid_coupling_make(sherd_system *system, sherd_error *error);

// Sorts points if that is due, with room for coupled bodies, and fills system->points->m.coupled bodies for the next step, over dt, in which
// `move` is to take them through it with `context`.
sherd_status sherd_grid_coupling_begin(sherd_system *system, double dt,
                                       sherd_status (*move)(void *context, sherd_error *error),
                                       void *context, sherd_error *error);

// Without the axes along which a driver holds an element.
sherd_vec3 sherd_coupled_without_held(uint8_t held, sherd_vec3 push);

// What contact at nodes gives in a step of the grid acts evenly in the coupled bodies' own steps, as a force would: half of a step's
// share before and half after it. What lies on points then rests in each of them, and no wave runs through it. Springs push
// with the forces that they have at the time.
void sherd_grid_coupling_take(sherd_system *system); // from nodes
// Over a share of the grid's step: a whole step of their own, or half of one; `elapsed` is what they have made of it [s].
void sherd_grid_coupling_kick(sherd_system *system, double share, bool whole, double elapsed);
void sherd_grid_coupling_done(sherd_system *system); // books what nodes had
// Gives the system's free bodies the motion that kicks have left, and adds what they got in a step to the mean loads
// that probes read.
void sherd_grid_coupling_load(sherd_system *system, double dt);

// The largest speed of any element or free body [m/s].
double sherd_grid_coupling_speed(const sherd_system *system);
