// Single elements that nothing but contacts holds, whose minimum is sought for each of them alone, all else
// staying, before the whole is evaluated (nonlinear elimination).
//
// A grain that is jammed in debris or a corner runs into its next contact, or past where it sticks, in every Newton
// step, and line searches shorten the whole step for it. So grains that hold an iteration up are taken out of it:
// they are at rest in what surrounds them wherever the energy is asked for, and do not move along with the step.
// A step's minimum is the same.
#pragma once

#include "contact/implicit/contact_trial.h"
#include "stepping/implicit/scheme.h"

enum { SHERD_GRAINS_MOST = 64 };

typedef struct sherd_grain_elimination {
    int count;
    sherd_element_index element[SHERD_GRAINS_MOST]; // in rising order
    double enough; // of the decrement that is left of one [sqrt(J)]
    double left;   // the largest that was left when they were settled last [sqrt(J)]
} sherd_grain_elimination;

// Takes out what nothing but contacts holds and has more than a share of the decrement, slope = gradient . step < 0
// (six columns of `stride`). True if there is something new.
bool sherd_grains_take(sherd_grain_elimination *loose, const sherd_contact_trial *trial,
                       const sherd_elements *elements, const double *gradient, const double *step,
                       size_t stride, double slope);
// Leaves them out of a step.
void sherd_grains_hold(const sherd_grain_elimination *loose, double *step, size_t stride);
// Moves each to its minimum; `left` says how near they came.
sherd_status sherd_grains_settle(sherd_grain_elimination *loose, const sherd_scheme_target *target,
                                 sherd_contact_trial *trial, sherd_elements *elements,
                                 sherd_error *error);
