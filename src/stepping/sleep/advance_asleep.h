// Advances time in one step while everything is asleep and undisturbed, however many explicit steps
// that replaces.
//
// Bodies at rest stay, bodies in flight move in closed form, obstacles follow their motions; probes
// report the forces that support bodies at rest. When something comes near, explicit steps take
// over, in which sleepers wake.
#pragma once

#include "stepping/system.h"

// True if all elements are parts of sleeping bodies, and there are no material points.
bool sherd_system_all_sleep(const sherd_system *system);

// The possible time span, at most `max_span` [s]; 0: explicit steps must be made. Examines flying and
// driven bodies at intervals.
sherd_status sherd_system_undisturbed(sherd_system *system, double max_span, double *time,
                                      sherd_error *error);
// The same for a system that is at rest, but not asleep.
double sherd_system_at_rest_for(const sherd_system *system, double max_span);

// Advances by such a time, as one step. The caller advances the clock.
void sherd_system_pass_time(sherd_system *system, double dt);
