// Newton's method on the manifold.                                     [IBDEM25] Algorithm 3
//
// Each iteration solves A x = -g in the tangent space with the Gauss-Newton matrix (linear/linear_system.h)
// and goes along the geodesic that x starts, shortened as far as need be (line_search.h).
// The squared decrement  lambda^2 = -g.x  is twice the energy that a step promises to gain and the squared
// length of x in A's norm. What is left to move after it is about lambda times the larger of what the linear
// solve has left and the contraction lambda_k / lambda_{k-1}; after the first iteration that of earlier steps
// stands for it, unless contacts began, ended, slid or stuck in it. A linear solve goes to linear_tolerance or,
// where displacements are judged, to half of what may be left. The iteration stops when that is at most
//   tolerance * sqrt(c sum m |p - p_n|^2 + 2 E_bonds + 2 E_contact),
// the length in the same norm of the step's move and of what is strained: a dimensionless share. Under load
// that allows more than a short step moves, which its error in time would be mistaken for. So where that is
// judged, what is left of displacements, by their mass-weighted rms, must also be at most
//   move_tolerance * max(rms of the step's displacements, rest_move).
// A turn by theta moves things by theta r, of which only theta^2 r is not straight on, as predicted: where drivers
// turn what they hold, whose momenta nothing else keeps, displacements count with the share `curved` of them.
// Grains that hold an iteration up are taken out of it and settled by themselves (grain_elimination.h): lambda is without them,
// and they must have come to their minima to the same tolerance.
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
    int most_iterations;
    double
        budget; // of sherd_newton_spent in all rounds of friction, 0 = any: beyond it is not worth it
    double contraction; // expected of the first iteration, from earlier steps; 1 = unknown
    bool renew;         // what only preconditions is made anew for every iteration
    // What preconditioned an earlier solve, with so many springs of contacts, may do for this one: linear solves took
    // `fresh` iterations when it was new. 0: it may not.
    double fresh;
    int64_t spring_count;
    // Asked after an iteration that moved no farther than the stopping test's scale: whether it is seen by now that
    // where this leads will not do. NULL: it is solved for in any case.
    bool (*unwanted)(void *context);
    void *context;
} sherd_newton_settings;

sherd_newton_settings sherd_newton_settings_default(void);

typedef struct sherd_newton_report {
    int iterations, linear_iterations, shortened; // shortened: line searches that had to go back
    bool converged;
    bool unwanted; // broken off, as settings.unwanted said
    bool outdated; // what was kept for preconditioning took more iterations than it saved
    bool stale;    // the same, of what was kept from an earlier solve
    bool renewed;  // it was made anew
    double fresh;  // iterations of a linear solve right after that, here or in an earlier solve
    int64_t spring_count; // of contacts, then
    double contraction;   // the worst that was seen; 0: there was one iteration only
    double left;          // to move, as a share of what the stopping test compares it with
    double
        coarse; // linear iterations, each times what its preconditioner has to do: linear_solver.h
    double left_norm; // the same in the norm of A [sqrt(J)]
    sherd_objective_value value;
} sherd_newton_report;

// What a solve has cost, in iterations with an ordinary preconditioner. Loose grains that touch are on every
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
// Not to converge is no error. Elements and bodies are left at the best state found, with loads and
// velocities to it.
sherd_status sherd_newton_solve(const sherd_objective *objective, sherd_linear_system *system,
                                sherd_linear_solver *solver, const sherd_newton_vectors *vectors,
                                const sherd_newton_settings *settings, const sherd_node_state *now,
                                double least_move, bool evaluated, sherd_newton_report *report,
                                sherd_error *error);
