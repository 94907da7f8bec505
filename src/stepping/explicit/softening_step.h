// Softening bonds in explicit steps.
#pragma once

#include "stepping/system.h"

// After the pass over blocks, in which softening bonds opened according to their strain: starts the
// softening of bonds that reached their strength, and books the losses of all. `dt` is the time
// over which elements moved with their present velocities.
void sherd_system_soften(sherd_system *system, double dt);
