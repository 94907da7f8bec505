// Contact of several bodies at one node. Finds the velocities u_b nearest to the free velocities
// v_b,
//
//   min 1/2 sum m_b |u_b - v_b|^2   with (u_a - u_b) . n_ab <= reach_ab for every pair,
//
// with Coulomb friction that opposes the tangential part of the slip velocity u_a - u_b - slip_ab.
// The dual problem is solved by projected Gauss-Seidel sweeps over the pairs' impulses. The two
// impulses of a pair are opposite, so that momentum is conserved exactly, and normal impulses only
// push. After every sixth sweep the impulses are extrapolated (Aitken). The equations are (8) to
// (18) of [MPMG], solved simultaneously instead of pair by pair.
#pragma once

#include <math.h>
#include <stdbool.h>

enum {
    SHERD_CONTACT_BODIES = 24,
    SHERD_CONTACT_PAIRS = SHERD_CONTACT_BODIES * (SHERD_CONTACT_BODIES - 1) / 2
};

typedef struct sherd_contact_pair {
    int a, b;
    double normal[3]; // unit, from a to b
    double reach;     // allowed approach speed; negative: speed with which they must separate [m/s]
    double friction;
    double slip[3]; // tangential u_a - u_b for which the surfaces do not slip [m/s]
    // Impulses of the solution: a receives -push normal - drag, b the opposite [N s]
    double push, drag[3];
} sherd_contact_pair;

typedef struct sherd_contact_problem {
    int bodies, pairs;
    double mass[SHERD_CONTACT_BODIES];        // > 0; INFINITY: its velocity is prescribed [kg]
    double velocity[SHERD_CONTACT_BODIES][3]; // free velocities, replaced by the solution [m/s]
    sherd_contact_pair pair[SHERD_CONTACT_PAIRS];
} sherd_contact_problem;

// Whether masses are positive, and pairs connect two bodies of the problem with unit normals.
static inline bool sherd_contact_is_posed(const sherd_contact_problem *p)
{
    bool posed = p->bodies <= SHERD_CONTACT_BODIES && p->pairs <= SHERD_CONTACT_PAIRS;
    for (int k = 0; k < p->bodies && posed; ++k)
        posed = p->mass[k] > 0.0;
    for (int k = 0; k < p->pairs && posed; ++k) {
        const sherd_contact_pair *pair = &p->pair[k];
        const double *n = pair->normal;
        posed = pair->a >= 0 && pair->a < p->bodies && pair->b >= 0 && pair->b < p->bodies &&
                pair->a != pair->b && fabs(n[0] * n[0] + n[1] * n[1] + n[2] * n[2] - 1.0) < 1e-6 &&
                pair->friction >= 0.0 && !isnan(pair->reach);
    }
    return posed;
}

// Returns the number of sweeps, or 0 if the last sweep still changed impulses by more than
// rounding. Velocities are then those of the last of SHERD_CONTACT_SWEEPS sweeps, or of the sweep
// after which impulses no longer converge but drift, by at most 1e-6 of the largest momentum per
// sweep.
enum { SHERD_CONTACT_SWEEPS = 244 }; // ends some sweeps after an extrapolation
int sherd_contact_solve(sherd_contact_problem *problem);

// A single sweep instead: each pair once, in order, with the velocities that earlier pairs left;
// [MPMG] section 3.2.
void sherd_contact_solve_pairwise(sherd_contact_problem *problem);

// Shared with kernels/mpm_gauss_seidel.c: when impulses are extrapolated ("leaps"), and when sweeps
// end.
enum { SHERD_CONTACT_BETWEEN_LEAPS = 6, SHERD_CONTACT_BEFORE_DRIFTS = 18 }; // sweeps
// If nothing converges, the sweeps after the last leap undo arbitrary velocities that leaps gave to
// light bodies.
enum { SHERD_CONTACT_LAST_LEAP = SHERD_CONTACT_SWEEPS - 64 };
// Of the largest momentum; changes below it end the sweeps
static const double SHERD_CONTACT_ROUNDING = 1e-13;
static const double SHERD_CONTACT_FARTHEST_LEAP = 0.1; // of the largest momentum
static const double SHERD_CONTACT_DRIFT = 1e-6;        // of the largest momentum, in a sweep
// factor on changes in six sweeps; a faster decay counts as convergence
static const double SHERD_CONTACT_FADING = 0.5;

// Reduced mass of two bodies. Walls have infinite mass; two of them give INFINITY, which no impulse
// moves [kg].
static inline double sherd_contact_reduced_mass(double a, double b)
{
    if (isinf(a)) return b;
    return isinf(b) ? a : a * b / (a + b);
}

// The largest momentum in the problem, to which the sweeps compare changes [kg m/s].
static inline double sherd_contact_scale(const sherd_contact_problem *p)
{
    double squares = 0.0, mass = 0.0;
    for (int k = 0; k < p->bodies; ++k) {
        const double *v = p->velocity[k];
        double square = v[0] * v[0] + v[1] * v[1] + v[2] * v[2];
        squares = square > squares ? square : squares;
        if (!isinf(p->mass[k])) mass = p->mass[k] > mass ? p->mass[k] : mass;
    }
    return mass * sqrt(squares);
}
