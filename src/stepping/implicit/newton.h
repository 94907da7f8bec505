// Newton's method on the manifold.                                     [IBDEM25] Algorithm 3
//
// Each iteration solves A x = -g in the tangent space with the Gauss-Newton matrix (linear/linear_system.h)
// and goes along the geodesic with tangent x, shortened if necessary (line_search.h).
// The squared decrement  lambda^2 = -g.x  is twice the energy that a step promises to gain and the squared
// length of x in A's norm. With r the larger of the linear solve's residual share and the contraction
// lambda_k / lambda_{k-1}, steps to come are r lambda, r^2 lambda, ...: the way left is lambda r / (1 - r).
// After the first iteration twice the contraction of earlier steps stands for it, or 1 where contacts began, ended, slid
// or stuck in it, and at most lambda counts as left. After an extrapolated step r is at least the ratio of that.
// A linear solve goes to linear_tolerance or, where displacements are judged, to half of what may be left. The
// iteration stops when the way left is at most
//   tolerance * sqrt(c sum m |p - p_n|^2 + 2 E_bonds + 2 E_contact),
// the length in the same norm of the step's move and of all strains: a dimensionless share. Under load this is more
// than the move of a short step, and the rest would be mistaken for its error in time. So where that error is judged,
// the displacements left, by their mass-weighted rms, must also be at most
//   move_tolerance * max(rms of the step's displacements, rest_move).
// A rotation by theta displaces elements by theta r, of which only theta^2 r differs from the predicted straight line:
// where drivers turn what they hold, whose momenta nothing else conserves, displacements count with the share `curved`.
// Grains that slow an iteration down are eliminated from it (grain_elimination.h): lambda is without them, and they must
// have reached their minima to the same tolerance.
// `linear` settings instead make one iteration and take its whole step, however far from the minimum that ends: the
// linearly implicit step of [RBDEM] Algorithm 1.
// When, near the end, three decrements in a row shrink by the same slow ratio r, the line search begins at
// 1 / (1 - r) steps.
#pragma once

#include "linear/linear_solver.h"
#include "stepping/implicit/objective.h"

typedef struct sherd_newton_settings {
    double tolerance;      // default 1e-3
    double move_tolerance; // default 0: not asked for
    double rest_move;      // [m]
    double
        curved; // of the step's displacements, the share that counts, where drivers turn what they hold; default 1
    double linear_tolerance; // of the linear solves
    int most_linear;         // iterations of a linear solve, in steps without a budget; default 400
    int most_iterations;
    double
        budget; // of sherd_newton_spent in all rounds of friction, beyond which it is given up; 0 = none
    double contraction; // expected of the first iteration, from earlier steps; 1 = unknown
    bool linear; // one iteration without a line search has converged once its linear solve has
    bool renew;  // the preconditioner is made anew in every iteration
    // The preconditioner of an earlier solve, with so many springs of contacts, may be reused: linear solves took
    // `fresh` iterations when it was new. 0: it may not.
    double fresh;
    int64_t spring_count;
    // Called after an iteration that moved no farther than the stopping test's scale: whether the result can already be
    // rejected. NULL: iterates to the end in any case.
    bool (*unwanted)(void *context);
    void *context;
} sherd_newton_settings;

sherd_newton_settings sherd_newton_settings_default(void);
// For one Gauss-Newton iteration by conjugate gradients to 2e-5.     [RBDEM] Algorithm 1
void sherd_newton_settings_linear(sherd_newton_settings *settings);

typedef struct sherd_newton_report {
    int iterations, linear_iterations, shortened; // shortened: line searches that had to go back
    bool converged;
    bool unwanted; // ended because settings.unwanted was true
    bool outdated; // the reused preconditioner took more iterations than it saved
    bool stale;    // the same, of one from an earlier solve
    bool renewed;  // it was made anew
    double fresh;  // iterations of a linear solve right after that, here or in an earlier solve
    int64_t spring_count; // of contacts, then
    double contraction;   // the worst one measured; 0: there was one iteration only
    double left;          // to move, as a share of the stopping test's scale
    double
        coarse; // linear iterations, each times what its preconditioner has to do: linear_solver.h
    double left_norm; // the same in the norm of A [sqrt(J)]
    sherd_objective_value value;
} sherd_newton_report;

// Cost of a solve, in iterations with an ordinary preconditioner. Grains that touch are on every
// level of it.
static inline double sherd_newton_spent(int iterations, double coarse)
{
    return iterations + coarse / 40.0;
}

// Vectors that the iteration works on; six columns each.
typedef struct sherd_newton_vectors {
    double *gradient, *step, *trial;
} sherd_newton_vectors;

// `evaluated`: report->value and the gradient are already those of the present state, with tangents of contacts.
// `now` is state n. `least_move` is a length [sqrt(J)] below which a move counts as none: the floor of the
// stopping test.
// It is no error not to converge. Elements and bodies are left at the best state found, with loads and
// velocities to it.
sherd_status sherd_newton_solve(const sherd_objective *objective, sherd_linear_system *system,
                                sherd_linear_solver *solver, const sherd_newton_vectors *vectors,
                                const sherd_newton_settings *settings, const sherd_node_state *now,
                                double least_move, bool evaluated, sherd_newton_report *report,
                                sherd_error *error);
