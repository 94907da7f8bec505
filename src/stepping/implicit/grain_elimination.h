// Nonlinear elimination of unbonded grains: each is moved to its own minimum with all else fixed,
// before the total energy is evaluated.
//
// A grain that is jammed in debris or a corner runs into its next contact, or past where it sticks,
// in every Newton step, and line searches shorten the whole step for it. So grains that slow down
// an iteration are eliminated from it: in every evaluation of the energy they are at their minimum
// among their neighbours, and they take no part in the step. The minimum of the step is the same.
#pragma once

#include "contact/implicit/contact_trial.h"
#include "stepping/implicit/scheme.h"

enum { SHERD_MAX_GRAINS = 64 };

typedef struct sherd_grain_elimination {
    int count;
    sherd_element_index element[SHERD_MAX_GRAINS]; // ascending
    double enough;    // decrement below which a grain counts as minimised [sqrt(J)]
    double remaining; // largest decrement after the last call of settle [sqrt(J)]
} sherd_grain_elimination;

// True if at most half of all elements are unbonded, so that only few slow down a step. If most are
// loose, others replace the eliminated ones, and every evaluation minimises 64 of them first:
// implicit steps then cost three times as much.
bool sherd_grains_are_few(const sherd_contact_trial *trial, const sherd_elements *elements);
// Eliminates unbonded grains that contribute more than a given fraction of the squared decrement,
// slope = gradient . step < 0 (six columns of `stride`). True if there are new ones.
bool sherd_grains_eliminate(sherd_grain_elimination *grains, const sherd_contact_trial *trial,
                            const sherd_elements *elements, const double *gradient,
                            const double *step, size_t stride, double slope);
// Sets their part of a step to zero.
void sherd_grains_clear_step(const sherd_grain_elimination *grains, double *step, size_t stride);
// Moves each to its minimum; sets `remaining`.
sherd_status sherd_grains_minimise(sherd_grain_elimination *grains,
                                   const sherd_scheme_target *target, sherd_contact_trial *trial,
                                   sherd_elements *elements, sherd_error *error);
