// How long an explicit step may be before things that meet in it close by more than a contact resolves.
#pragma once

#include "stepping/system.h"

// In a step, surfaces that meet close by at most this share of their size (contact/approach.h): a ball then
// rebounds from a plate, a ball or a corner with the energy it came with, to 1 % (docs/method.md).
#define SHERD_CLOSING_SHARE 0.125

// What limits a step.
typedef struct sherd_step_limit {
    double dt;       // the longest step, at most what was asked for [s]
    double swing_dt; // the same for the speeds with which what touches met and will part [s]
    sherd_element_index first;  // element, -1: an obstacle meets another one
    sherd_element_index second; // element, -1: `first` meets an obstacle
    int obstacle, other;        // -1: none
    double speed, size;         // of what closes fastest for its size [m/s], [m]
    double depth;               // the deepest that anything fast is in anything, in its sizes
} sherd_step_limit;

// Whether anything may close so fast that steps of dt have to be looked at: from the speeds of the last step.
// Costs next to nothing.
bool sherd_system_may_be_fast(const sherd_system *system, double dt, double *speed);

// Steps from the present state, velocities being up to date, so short that in the next `steps` of them nothing that
// meets closes by more than SHERD_CLOSING_SHARE of its size in one.
sherd_status sherd_system_limit_step(const sherd_system *system, double dt, int steps,
                                     sherd_step_limit *limit, sherd_error *error);

// How deep what touches is in what it touches, in its sizes, at most: of all that springs won't stop. For steps that
// are not looked at.
double sherd_system_passing_depth(const sherd_system *system);
// Of it, what driven obstacles press, which may be slow. Costs little, whatever else touches.
double sherd_system_driven_depth(const sherd_system *system);
