// Time that passes while all is asleep and nothing can disturb it: in one go, however many explicit steps it is long.
//
// What rests stays, what flies goes on in closed form, obstacles follow their motions; probes read what holds what
// rests. What comes near something is left to explicit steps, in which sleepers wake.
#pragma once

#include "stepping/system.h"

// How long that may be, `most` at most [s]; 0: explicit steps must be made. Looks at what flies or is driven now and
// then.
sherd_status sherd_system_undisturbed(sherd_system *system, double most, double *time,
                                      sherd_error *error);
// The same of a system that is at rest, but not asleep.
double sherd_system_at_rest_for(const sherd_system *system, double most);

// Lets such a time pass, as one step. The clock is left to the caller.
void sherd_system_pass_time(sherd_system *system, double dt);
