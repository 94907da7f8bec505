// The algorithms of [IBDEM25] as it prints them, for comparison: docs/papers/ibdem25.md. One step:
//
//   x_0 = x_n + dt v_n                          predict.c; rotations along the geodesic
//   repeat
//     g = grad f                                objective.c
//     stop when |g| is small enough
//     algorithm 1   x = -alpha M^-1 g
//     algorithm 2   (Hess f) x = -g             bond_hessians.h, by conjugate gradients with multigrid
//     algorithm 3   (Hess' f) x = -g            every bond's matrix projected, to the tolerance (31)
//     move along the geodesic by the share of x that decreases f            line_search.h
//   v = (x - x_n) / dt, then friction (34), (35)  contact_trial_rub.c
//
// |g| is the root mean square of unbalanced forces over elements, torques counting over the radius. It
// must fall to `tolerance` of what it was at x_0 or of the weight, whichever is larger. A step that does
// not get there within its bound of iterations is taken as it is, and says so.
#pragma once

#include "linear/linear_solver.h"
#include "models/bonded/hessian/bond_hessians.h"
#include "stepping/control/step_limits.h"
#include "stepping/implicit/newton.h"

typedef struct sherd_manifold_parts {
    const sherd_objective *objective;
    const sherd_linear_system *system; // with the Gauss-Newton tangent
    sherd_linear_solver *solver;
    sherd_bond_hessians *hessians;
    sherd_tangent_parts model;
    const sherd_newton_vectors *vectors;
    sherd_vec3 gravity; // [m/s^2]
} sherd_manifold_parts;

// From the elements' present poses. Not to converge is no error.
sherd_status sherd_manifold_minimise(const sherd_manifold_parts *parts,
                                     const sherd_manifold_settings *settings,
                                     sherd_newton_report *report, sherd_error *error);

// (31): relative tolerance of the linear solve, for the gradient's size.
double sherd_manifold_relative_error(double gradient);

// As printed, q^ = 2 q_n - q_{n-1} on the chord, in place of the geodesic: normalised, so that spin
// decays. Sets target and elements.
void sherd_manifold_predict_chord(sherd_scheme_target *target, const sherd_node_state *now,
                                  sherd_elements *elements);
