// How a system gets from one time to another: which method makes the next step, and how long it is.
//
//   explicit   steps just below the stability limit
//   implicit   steps as long as their error in time allows, or of a given length
//   auto       implicit in quiet phases; explicit before an impact that could break something, while things break,
//              and wherever implicit steps would have to be so short that explicit ones cost less.
//    docs/theory/physics.md 3, docs/theory/automatic.md
//
// The cost of implicit steps is counted in iterations, not in seconds, so that runs are reproducible.
#pragma once

#include "stepping/control/step_control_state.h"
#include "stepping/stepper.h"
#include "stepping/system.h"

// What those steps cost, in explicit steps of the same elements.
double sherd_step_control_work(const sherd_solver_counts *counts);

// Advances to the goal exactly without making regions: until it is time to search for them, and for a part until
// it has gone as far as it may (sherd_system.path). Not for the explicit method alone.
sherd_status sherd_system_advance_alone(sherd_system *system, const sherd_method_settings *settings,
                                        const sherd_advance_goal *goal, sherd_error *error);

// sherd_stepper.last_dt and .counts of systems that are stepped so.
double sherd_controlled_last_dt(const sherd_system *system);
sherd_solver_counts sherd_controlled_counts(const sherd_system *system);
