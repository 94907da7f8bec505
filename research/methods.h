// The methods' tables, and code that several of them share.
#pragma once

#include "research/search.h"

extern const sherd_search_method sherd_method_newton, sherd_method_projected,
    sherd_method_gauss_newton, sherd_method_descent, sherd_method_quaternion, sherd_method_penalty,
    sherd_method_multipliers, sherd_method_augmented, sherd_method_rotation_vector,
    sherd_method_equations, sherd_method_penalty_fixed, sherd_method_add;

// Phi.
double sherd_method_energy(const sherd_search *search, const double *x, const double *multiplier);

// search->gradient over (dp, dtheta), six an element, and full_gradient; bond_gradients hold bonds' own.
void sherd_method_gradient(sherd_search *search);

// The same, nodes and pairs.
void sherd_method_linearise_motion(sherd_search *search);

// Straight lines in (p, q), seven unknowns an element.
void sherd_method_move_straight(sherd_search *search, double alpha);
