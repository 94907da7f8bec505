// How long an implicit step may be before things can have passed each other unseen: it knows what touches at its
// end, and of what was in between only by what pushes there.
#pragma once

#include "stepping/system.h"

// At most dt [s]: from where elements and moving obstacles are now, with the velocities that they have or are given,
// nothing goes farther into what no bond joins it to than by the radius of the smallest element there. Obstacles at
// rest don't count, as elements never pass those (contact_trial.h), nor do half-spaces, which have no other side.
sherd_status sherd_system_tunnelling_bound(const sherd_system *system, double dt, double *unseen,
                                           sherd_error *error);
