// Contact of several bodies at one node: velocities u_b nearest to the free ones v_b,
//
//   min 1/2 sum m_b |u_b - v_b|^2   with (u_a - u_b) . n_ab <= reach_ab for every pair,
//
// and Coulomb friction against what surfaces slip by, u_a - u_b - slip_ab across the normal. The
// dual problem is solved by projected Gauss-Seidel sweeps over the pairs' impulses: those of a pair
// are opposite, so that momentum is exact, and they only push. After every sixth sweep impulses
// leap to where the last changes lead (Aitken). [MPMG] (8) to (18), solved together instead of one
// pair after another.
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
    double reach;     // speed at which they may approach; below 0: with which they must part [m/s]
    double friction;
    double slip[3]; // of u_a - u_b where surfaces do not slip, across the normal [m/s]
    // Impulses of the solution: a gets -push normal - drag, b the opposite [N s]
    double push, drag[3];
} sherd_contact_pair;

typedef struct sherd_contact_problem {
    int bodies, pairs;
    double mass[SHERD_CONTACT_BODIES];        // > 0; INFINITY: it moves as it does [kg]
    double velocity[SHERD_CONTACT_BODIES][3]; // free, then those of the solution [m/s]
    sherd_contact_pair pair[SHERD_CONTACT_PAIRS];
} sherd_contact_problem;

// Masses are positive, and pairs join two bodies of the problem by unit normals.
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

// Returns the number of sweeps, or 0 when the last one still changed more than rounding: velocities
// are then those of that sweep, the last of SHERD_CONTACT_SWEEPS, or one from which on impulses no
// longer settle but drift, by no more than 1e-6 of the largest momentum a sweep.
enum { SHERD_CONTACT_SWEEPS = 244 }; // some sweeps after a leap
int sherd_contact_solve(sherd_contact_problem *problem);

// One sweep instead: each pair once, in order, with what those before it left; [MPMG] section 3.2.
void sherd_contact_solve_pairwise(sherd_contact_problem *problem);

// What kernels/mpm_gauss_seidel.c shares: when leaps are made, and when sweeps end.
enum { SHERD_CONTACT_BETWEEN_LEAPS = 6, SHERD_CONTACT_BEFORE_DRIFTS = 18 }; // sweeps
// Where nothing converges the sweeps after it take back what leaps gave light bodies, whose
// velocities would be any.
enum { SHERD_CONTACT_LAST_LEAP = SHERD_CONTACT_SWEEPS - 64 };
static const double SHERD_CONTACT_ROUNDING =
    1e-13; // of the largest momentum; changes below it end the sweeps
static const double SHERD_CONTACT_FARTHEST_LEAP = 0.1; // of the largest momentum
static const double SHERD_CONTACT_DRIFT = 1e-6;        // of the largest momentum, in a sweep
static const double SHERD_CONTACT_FADING = 0.5;        // in six sweeps: what falls faster converges

// Of two bodies; infinite masses are walls: INFINITY of two of them, which no impulse moves [kg].
static inline double sherd_contact_reduced_mass(double a, double b)
{
    if (isinf(a)) return b;
    return isinf(b) ? a : a * b / (a + b);
}

// The largest momentum that there is, as sweeps weigh their changes [kg m/s].
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
