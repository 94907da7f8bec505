// Bonds that soften, in explicit steps.
#pragma once

#include "stepping/system.h"

// After the pass over blocks, in which those that soften opened as far as they are strained: bonds that it found to have
// reached their strength, and that soften, begin, and what all lost is booked. `dt` is what elements moved in with their
// present velocities.
void sherd_system_soften(sherd_system *system, double dt);
