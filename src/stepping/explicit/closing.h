// How long an explicit step may be before surfaces that meet in it close by more than a contact resolves.
#pragma once

#include "stepping/system.h"

// In a step, surfaces that meet close by at most this share of their size (contact/approach.h): a ball then
// rebounds from a plate, a ball or a corner with the energy it came with, to 1 % (docs/theory/explicit.md).
#define SHERD_CLOSING_SHARE 0.125

// What limits a step.
typedef struct sherd_step_limit {
    double dt;         // the longest step, at most what was asked for [s]
    double rebound_dt; // the same for the speeds at which touching surfaces met and will part [s]
    sherd_element_index first;  // element, -1: an obstacle meets another one
    sherd_element_index second; // element, -1: `first` meets an obstacle
    int obstacle, other;        // -1: none
    double speed, size;         // of the pair that closes fastest for its size [m/s], [m]
    double depth;               // the deepest overlap of anything fast, over its size
} sherd_step_limit;

// Whether anything may close so fast that steps of dt have to be checked: from the speeds of the last step.
// Costs next to nothing.
bool sherd_system_may_be_fast(const sherd_system *system, double dt, double *speed);

// The longest step of which the next `steps` from the present state, with velocities up to date, each let surfaces that
// meet close by at most SHERD_CLOSING_SHARE of their size.
sherd_status sherd_system_limit_step(const sherd_system *system, double dt, int steps,
                                     sherd_step_limit *limit, sherd_error *error);

// The deepest overlap over size of all contacts whose springs won't stop the motion. For steps that are not checked.
double sherd_system_passing_depth(const sherd_system *system);
// The same of contacts with driven obstacles alone, which may be slow. Costs little, whatever else touches.
double sherd_system_driven_depth(const sherd_system *system);
