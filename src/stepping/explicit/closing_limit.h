// Bound of an explicit step by closing speeds: surfaces that meet in it must not close by more than
// a contact resolves.
#pragma once

#include "stepping/system.h"

// In a step, surfaces that meet may close by at most this fraction of their size
// (contact/time_to_contact.h). A ball then rebounds from a plate, a ball or a corner with its energy
// unchanged to 1 % (docs/theory/explicit.md).
#define SHERD_CLOSING_FRACTION 0.125

// The bound and its cause.
typedef struct sherd_step_limit {
    double dt;                  // the longest step, at most the requested one [s]
    double rebound_dt;          // the same for the rebound speeds of touching surfaces [s]
    sherd_element_index first;  // element, -1: an obstacle meets another one
    sherd_element_index second; // element, -1: `first` meets an obstacle
    int obstacle, other;        // -1: none
    double speed, size;         // of the pair that closes fastest relative to its size [m/s], [m]
    double depth;               // the deepest overlap of a fast contact, over its size
} sherd_step_limit;

// True if something may close so fast that steps of dt must be checked, from the speeds in the last
// step. Costs almost nothing.
bool sherd_system_may_be_fast(const sherd_system *system, double dt, double *speed);

// The longest step such that in each of the next `steps` steps from the present state (velocities
// up to date) surfaces that meet close by at most SHERD_CLOSING_FRACTION of their size.
sherd_status sherd_system_limit_step(const sherd_system *system, double dt, int steps,
                                     sherd_step_limit *limit, sherd_error *error);

// The largest overlap over size of contacts whose springs will not stop the motion, for steps that
// are not checked.
double sherd_system_passing_depth(const sherd_system *system);
// The same for contacts with driven obstacles only, which may be slow. Costs little, however many
// contacts there are.
double sherd_system_driven_depth(const sherd_system *system);
