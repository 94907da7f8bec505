// Explicit steps of tetrahedra (models/fem/fem.h).
//
//   v      half a kick of nodes
//   x      drift of nodes; obstacles and driven regions move on
//          elements are placed at centroids
//   f      tetrahedra; contacts of elements, spread to their nodes
//   v      the other half kick
//          nodes separate: cracked faces are broken bonds, whose elements may then touch
#pragma once

#include "stepping/system.h"

// One step; calls `after` with the weight 1.
sherd_status sherd_system_step_fem(sherd_system *system, sherd_after_step *after, void *context,
                                   sherd_error *error);

// Kinetic energy that nodes at rest would gain from half a kick by their present loads
// (explicit/verlet_energy_offset.h) [J].
double sherd_system_fem_kick_energy(const sherd_system *system);
