// Debris that has come to rest: islands of components that touch each other and fixed obstacles and
// hardly move. They sleep as one body that stays where it is, its contacts at work.
//
// A component rests when its elements' kinetic energy is below that of REST_SPEED sqrt(g r) at consecutive checks, and
// the velocity of its centre of mass has changed since the first of them by less than REST_DRIFT g would change it: so
// the mean of all forces on it, gravity included, is at most that share of its weight, however it vibrates. An island
// rests when all its components do, it presses on a fixed obstacle at the check, and no driver or obstacle that may move is
// among or near it. Probes measure the weight of what rests (contact/resting_load.h).
#pragma once

#include "stepping/sleep/quiescence.h"

// After sherd_quiescence_find, which has found the components.
sherd_status sherd_resting_find(sherd_system *system, sherd_quiescent_bodies *bodies,
                                sherd_error *error);
// The same check of velocities alone, whatever contacts are. *all: no component moves.
sherd_status sherd_resting_look(sherd_system *system, bool *all, sherd_error *error);
