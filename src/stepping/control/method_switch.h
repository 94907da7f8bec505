// Decides when implicit steps begin and when they end.
#pragma once

#include "stepping/control/control_pass.h"

sherd_status sherd_switch_to_implicit(sherd_control_pass *p, double dt);

// Starts explicit steps for at least the time `duration` [s].
void sherd_switch_to_explicit(sherd_control_pass *p, double duration);
// Implicit steps cost more than expected, by `cost` [explicit steps]: each following period of
// explicit steps is longer.
void sherd_back_off(sherd_control_pass *p, double cost);

// The length of the first implicit step, 0: explicit steps continue [s].
sherd_status sherd_consider_implicit(sherd_control_pass *p, double *dt);
// After an implicit step: if all bodies are in flight and quiescent, or all at rest, they fall
// asleep, and explicit steps move them.
sherd_status sherd_fall_asleep(sherd_control_pass *p);
// Clears the samples of positions.
void sherd_pass_clear_history(sherd_control_pass *p);
