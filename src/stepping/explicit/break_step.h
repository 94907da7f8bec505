// Bonds that break or soften in an explicit step.
//
// Broken bonds are removed at once, after the step's second half kick and before the next one's
// first. Their energy is booked as dissipated, and their loads are subtracted from F and T.
#pragma once

#include "stepping/system.h"

// `time`: of the step's end [s].
sherd_status sherd_system_break_bonds(sherd_system *system, double time, sherd_error *error);

// Call after the pass over blocks, in which softening bonds opened according to their strain: starts
// the softening of bonds that reached their strength, and books the losses of all. `dt` is the time
// over which elements moved with their present velocities.
void sherd_system_soften(sherd_system *system, double dt);
