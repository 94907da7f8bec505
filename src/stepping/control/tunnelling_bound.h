// Bound of an implicit step's length against tunnelling. A step detects only contacts that still
// press at its end, so bodies could pass through each other undetected.
#pragma once

#include "stepping/system.h"

// Scratch memory, as sherd_system.tunnelling. NULL is allowed.
void sherd_tunnelling_scratch_destroy(sherd_tunnelling_scratch *scratch);
// After bonds changed otherwise than by breaking. NULL is allowed.
void sherd_tunnelling_scratch_forget(sherd_tunnelling_scratch *scratch);
size_t sherd_tunnelling_scratch_bytes(const sherd_tunnelling_scratch *scratch);

// At most dt [s]: from present positions, with present or prescribed velocities, no element or
// moving obstacle overlaps anything that it is not bonded to by more than the radius of the
// smallest element there. Obstacles at rest do not count, because elements never pass them
// (contact_trial.h), nor do half-spaces, which have no far side.
sherd_status sherd_system_tunnelling_bound(sherd_system *system, double dt, double *safe_time,
                                           sherd_error *error);
