// When implicit steps begin and when they end.
#pragma once

#include "stepping/control/control_pass.h"

sherd_status sherd_go_implicit(sherd_control_pass *p, double dt);

// For a time `spell` at least [s].
void sherd_go_explicit(sherd_control_pass *p, double spell);
// Implicit steps cost more than expected, by `cost` [explicit steps]: each time the explicit spell is longer.
void sherd_back_off(sherd_control_pass *p, double cost);

// The length of an implicit step to begin with now, 0: explicit steps go on [s].
sherd_status sherd_consider_implicit(sherd_control_pass *p, double *dt);
// After an implicit step: where all flies and is quiescent, or all rests, it sleeps, and explicit steps move it.
sherd_status sherd_fall_asleep(sherd_control_pass *p);
// Forgets the samples of positions.
void sherd_pass_clear_history(sherd_control_pass *p);
