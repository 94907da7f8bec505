// How a system gets from one time to another: which method makes the next step, and how long it is.
//
//   explicit   steps just below the stability limit
//   implicit   steps as long as their error in time allows, or of a given length
//   auto       implicit while calm; explicit before an impact that could break something, while things break,
//              and wherever implicit steps would have to be so short that explicit ones cost less.
//    docs/physics.md 3, docs/method.md
//
// What implicit steps cost is counted in iterations, not in seconds: runs are reproducible.
#pragma once

#include "stepping/control/step_control_state.h"
#include "stepping/system.h"

// What those steps cost, in explicit steps of the same elements.
double sherd_step_control_work(const sherd_solver_counts *counts);

// Advances to time `until` exactly without making regions: until it is time to look for them, and for a part until
// it has gone as far as it may (sherd_system.path). Stops on the way after `most_steps` steps. Not for the explicit
// method alone.
sherd_status sherd_system_advance_alone(sherd_system *system, const sherd_method_settings *settings,
                                        double until, int64_t most_steps, sherd_after_step *after,
                                        void *context, sherd_error *error);
