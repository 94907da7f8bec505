// Bonds that soften, in explicit steps.
#pragma once

#include "stepping/system.h"

// After the pass over blocks: bonds that it found to have reached their strength and that soften leave the blocks, all
// that soften open as far as they are strained, and their loads come to those of elements. `dt` is what elements
// moved in with their present velocities. *damping_power gets what is to be added to the blocks' [W].
sherd_status sherd_system_soften(sherd_system *system, double dt, double *damping_power,
                                 sherd_error *error);

// Loads of bonds that soften, as far as they have: of a state that was there before.
void sherd_system_add_softened_loads(sherd_system *system);
