// Debris at rest: islands of components that touch each other and fixed obstacles and hardly move.
// They sleep as one fixed body with constant contact forces.
//
// A component rests if its kinetic energy is below that of the speed REST_SPEED sqrt(g r) at
// consecutive checks, and the change of velocity of its centre of mass since the first of them is
// less than that by an acceleration of REST_DRIFT g: so the mean of all forces on it, gravity
// included, is at most that fraction of its weight, however it vibrates. An island rests if all its
// components do, it presses on a fixed obstacle at the check, and no driver or obstacle that may
// move is in it or near it. Probes measure the weight of resting bodies (contact/resting_load.h).
#pragma once

#include "stepping/sleep/quiescence.h"

// After sherd_quiescence_find, which finds the components.
sherd_status sherd_resting_find(sherd_system *system, sherd_quiescent_bodies *bodies,
                                sherd_error *error);
// The same check of velocities alone, regardless of contacts. *all: no component moves.
sherd_status sherd_resting_check(sherd_system *system, bool *all, sherd_error *error);
