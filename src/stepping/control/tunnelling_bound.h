// How long an implicit step may be before bodies can have passed through each other undetected: a step sees the
// contacts at its end, and contacts before that only if they still press there.
#pragma once

#include "stepping/system.h"

// Scratch, as sherd_system.tunnelling. NULL is fine.
void sherd_tunnelling_room_destroy(sherd_tunnelling_room *room);
size_t sherd_tunnelling_room_bytes(const sherd_tunnelling_room *room);

// At most dt [s]: from present positions and with present or prescribed velocities, no element or moving obstacle
// goes farther into anything that it is not bonded to than by the radius of the smallest element there. Obstacles at
// rest don't count, as elements never pass those (contact_trial.h), nor do half-spaces, which have no other side.
sherd_status sherd_system_tunnelling_bound(sherd_system *system, double dt, double *safe_time,
                                           sherd_error *error);
