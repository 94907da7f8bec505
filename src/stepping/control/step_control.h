// Advances a system from one time to another: chooses the method and the length of each step.
//
//   explicit   steps just below the stability limit
//   implicit   steps as long as their error in time allows, or of a given length
//   auto       implicit in quiet phases; explicit before an impact that could break something,
//              while things break, and if implicit steps would be so short that explicit ones
//              cost less
//    docs/theory/physics.md 3, docs/theory/automatic.md
//
// The cost of implicit steps is counted in iterations, not in seconds, so that runs are reproducible.
#pragma once

#include "stepping/control/step_control_state.h"
#include "stepping/stepper.h"
#include "stepping/system.h"

// Cost of those steps, in explicit steps of the same elements.
double sherd_step_control_work(const sherd_solver_counts *counts);

// Advances to the goal exactly without making regions. Returns early when it is time to search for
// them, and for a part when it has moved as far as allowed (sherd_system.path). Not for the
// explicit method.
sherd_status sherd_system_advance_alone(sherd_system *system, const sherd_method_settings *settings,
                                        const sherd_advance_goal *goal, sherd_error *error);

// sherd_stepper.last_dt and .counts of systems under step control.
double sherd_controlled_last_dt(const sherd_system *system);
sherd_solver_counts sherd_controlled_counts(const sherd_system *system);
