// Newton's method on the manifold.                                     [IBDEM25] Algorithm 3
//
// Each iteration solves A x = -g in the tangent space with the Gauss-Newton matrix
// (linear/linear_system.h) and moves along the geodesic with tangent x, shortened if necessary
// (line_search.h).
// The squared decrement  lambda^2 = -g.x  is twice the energy that a step is expected to gain and
// the squared length of x in A's norm. With r the larger of the linear solve's relative residual
// and the contraction lambda_k / lambda_{k-1}, the following steps are r lambda, r^2 lambda, ...:
// the remaining distance is lambda r / (1 - r). After the first iteration r is twice the
// contraction of earlier steps, or 1 if contacts began, ended, slid or stuck in it, and the
// remaining distance is at most lambda. After an extrapolated step r is at least the ratio used for
// it. A linear solve stops at linear_tolerance or, if displacements are checked, at half of the
// allowed remainder. The iteration stops when the remaining distance is at most
//   tolerance * sqrt(c sum m |p - p_n|^2 + 2 E_bonds + 2 E_contact),
// the length in the same norm of the step's move and of all strains: a dimensionless ratio.
// Under load this length can exceed a short step's own displacement, and the remainder would be
// counted as time error. When time error is checked, therefore, the mass-weighted rms of the
// remaining displacements must also be at most
//   move_tolerance * max(rms of the step's displacements, move_floor).
// A rotation by theta displaces elements by theta r, of which only theta^2 r differs from the
// predicted straight line. If drivers rotate elements, whose momenta nothing else conserves,
// displacements are weighted with `curved`. Grains that slow an iteration down are eliminated from
// it (grain_elimination.h): lambda excludes them, and they must have reached their minima to the
// same tolerance.
// With the `linear` settings one iteration is made with its full step, however far from the minimum
// that ends: the linearly implicit step of [RBDEM] Algorithm 1.
// When, near the end, three decrements in a row shrink by the same slow ratio r, the line search begins at
// 1 / (1 - r) steps.
#pragma once

#include "linear/linear_solver.h"
#include "stepping/implicit/objective.h"

typedef struct sherd_newton_settings {
    double tolerance;      // default 1e-3
    double move_tolerance; // default 0: not checked
    double move_floor;     // [m]
    double curved; // weight of the step's displacements if drivers rotate elements; default 1
    double linear_tolerance; // of the linear solves
    // limit of iterations of a linear solve, in steps without a budget; default 400
    int max_linear_iterations;
    int max_iterations;
    // limit of sherd_newton_spent over all rounds of friction, beyond which the step is abandoned;
    // 0 = none
    double budget;
    // expected contraction of the first iteration, from earlier steps; 1 = unknown
    double contraction;
    bool linear; // one iteration without line search; converged once its linear solve has
    bool renew;  // computes a new preconditioner in every iteration
    // The preconditioner of an earlier solve, with this many springs of contacts, may be reused:
    // linear solves took `fresh` iterations when it was new. 0: it may not.
    double fresh;
    int64_t spring_count;
    // Called after an iteration shorter than the stopping test's scale: true if the result can
    // already be rejected. NULL: iterates to the end.
    bool (*unwanted)(void *context);
    void *context;
} sherd_newton_settings;

sherd_newton_settings sherd_newton_settings_default(void);
// For one Gauss-Newton iteration by conjugate gradients to 2e-5.     [RBDEM] Algorithm 1
void sherd_newton_settings_linear(sherd_newton_settings *settings);

typedef struct sherd_newton_report {
    // shortened: line searches that took less than the step
    int iterations, linear_iterations, shortened;
    bool converged;
    bool unwanted; // ended because settings.unwanted was true
    bool outdated; // the reused preconditioner took more iterations than it saved
    bool stale;    // the same, of one from an earlier solve
    bool renewed;  // it was computed again
    double fresh;  // iterations of a linear solve directly after that, in this or an earlier solve
    int64_t spring_count; // of contacts, at that time
    double contraction;   // the worst one measured; 0: there was only one iteration
    double remaining;     // remaining distance, relative to the stopping test's scale
    double
        coarse; // linear iterations times the relative cost of the preconditioner: linear_solver.h
    double remaining_norm; // the same in the norm of A [sqrt(J)]
    sherd_objective_value value;
} sherd_newton_report;

// Cost of a solve, in iterations with an ordinary preconditioner. Touching grains are on every
// level of it.
static inline double sherd_newton_spent(int iterations, double coarse)
{
    return iterations + coarse / 40.0;
}

// Work vectors of the iteration, six columns each.
typedef struct sherd_newton_vectors {
    double *gradient, *step, *trial;
} sherd_newton_vectors;

// `evaluated`: report->value and the gradient are already those of the present state, with tangents
// of contacts. `now` is state n. `min_move` is a length [sqrt(J)] below which a move counts as
// none: the lower bound of the stopping test's scale. Not to converge is no error. Elements and
// bodies are left at the best state found, with its loads and velocities.
sherd_status sherd_newton_solve(const sherd_objective *objective, sherd_linear_system *system,
                                sherd_linear_solver *solver, const sherd_newton_vectors *vectors,
                                const sherd_newton_settings *settings, const sherd_node_state *now,
                                double min_move, bool evaluated, sherd_newton_report *report,
                                sherd_error *error);
