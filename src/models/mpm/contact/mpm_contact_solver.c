#include "models/mpm/contact/mpm_contact_solver.h"

#include "base/assertion.h"
#include "models/mpm/grid/mpm_axes.h"

#include <math.h>
#include <stdbool.h>

// Constants of all sweeps.
typedef struct masses {
    double inverse[SHERD_CONTACT_BODIES]; // [1/kg]
    double reduced[SHERD_CONTACT_PAIRS];  // [kg]
} masses;

static void find_masses(const sherd_contact_problem *p, masses *m)
{
    for (int k = 0; k < p->bodies; ++k)
        m->inverse[k] = 1.0 / p->mass[k];
    for (int k = 0; k < p->pairs; ++k) {
        m->reduced[k] = sherd_contact_reduced_mass(p->mass[p->pair[k].a], p->mass[p->pair[k].b]);
    }
}

// Adds an impulse to b and takes it from a.
static void push(sherd_contact_problem *p, const masses *m, const sherd_contact_pair *pair,
                 const double impulse[3])
{
    for (int k = 0; k < 3; ++k) {
        p->velocity[pair->a][k] -= impulse[k] * m->inverse[pair->a];
        p->velocity[pair->b][k] += impulse[k] * m->inverse[pair->b];
    }
}

static void relative_velocity(const sherd_contact_problem *p, const sherd_contact_pair *pair,
                              double v[3])
{
    for (int k = 0; k < 3; ++k)
        v[k] = p->velocity[pair->a][k] - p->velocity[pair->b][k];
}

// solve_normal and solve_friction return the change of the pair's impulse.
static double solve_normal(sherd_contact_problem *p, const masses *m, sherd_contact_pair *pair,
                           double mass)
{
    double v[3], impulse[3];
    relative_velocity(p, pair, v);
    double wanted = pair->push + mass * (sherd_axes_dot(v, pair->normal) - pair->reach);
    wanted = wanted > 0.0 ? wanted : 0.0;
    double change = wanted - pair->push;
    if (change == 0.0) return 0.0;
    pair->push = wanted;
    for (int k = 0; k < 3; ++k)
        impulse[k] = change * pair->normal[k];
    push(p, m, pair, impulse);
    return change > 0.0 ? change : -change;
}

static double solve_friction(sherd_contact_problem *p, const masses *m, sherd_contact_pair *pair,
                             double mass)
{
    double v[3], wanted[3], change[3];
    relative_velocity(p, pair, v);
    double along = sherd_axes_dot(v, pair->normal), most = pair->friction * pair->push;
    for (int k = 0; k < 3; ++k)
        wanted[k] = pair->drag[k] + mass * (v[k] - along * pair->normal[k] - pair->slip[k]);
    double squares = sherd_axes_dot(wanted, wanted),
           share = squares > most * most ? most / sqrt(squares) : 1.0;
    for (int k = 0; k < 3; ++k) {
        change[k] = share * wanted[k] - pair->drag[k];
        pair->drag[k] = share * wanted[k];
    }
    push(p, m, pair, change);
    return sqrt(sherd_axes_dot(change, change));
}

static bool drags(const sherd_contact_pair *pair)
{
    return pair->push > 0.0 || sherd_axes_dot(pair->drag, pair->drag) > 0.0;
}

static double sweep(sherd_contact_problem *p, const masses *m)
{
    double most = 0.0;
    for (int k = 0; k < p->pairs; ++k) {
        sherd_contact_pair *pair = &p->pair[k];
        if (isinf(m->reduced[k])) continue;
        double change = solve_normal(p, m, pair, m->reduced[k]);
        most = change > most ? change : most;
        if (!(pair->friction > 0.0 && drags(pair))) continue;
        change = solve_friction(p, m, pair, m->reduced[k]);
        most = change > most ? change : most;
    }
    return most;
}

static void forget_impulses(sherd_contact_problem *p)
{
    for (int k = 0; k < p->pairs; ++k)
        p->pair[k].push = p->pair[k].drag[0] = p->pair[k].drag[1] = p->pair[k].drag[2] = 0.0;
}

void sherd_contact_solve_pairwise(sherd_contact_problem *p)
{
    masses m;
    find_masses(p, &m);
    forget_impulses(p);
    sweep(p, &m);
}

// ---------------------------------------------------------------- leaps

// Extrapolation. Where contacts form closed loops, Gauss-Seidel converges slowly, and successive
// changes finally form a geometric series. A leap goes to the limit of that series. The sweeps
// after it decide about convergence as usual.

// Impulses of all pairs after a sweep.
typedef struct impulses {
    double push[SHERD_CONTACT_PAIRS], drag[SHERD_CONTACT_PAIRS][3];
} impulses;

static void note_impulses(const sherd_contact_problem *p, impulses *out)
{
    for (int k = 0; k < p->pairs; ++k) {
        out->push[k] = p->pair[k].push;
        for (int i = 0; i < 3; ++i)
            out->drag[k][i] = p->pair[k].drag[i];
    }
}

// Ratio of the series: of the changes since `last` to those from `before` to `last`, by least
// squares.
static double rate_of(const sherd_contact_problem *p, const impulses *before, const impulses *last)
{
    double along = 0.0, squares = 0.0;
    for (int k = 0; k < p->pairs; ++k) {
        const sherd_contact_pair *pair = &p->pair[k];
        double old = last->push[k] - before->push[k];
        along += (pair->push - last->push[k]) * old, squares += old * old;
        for (int i = 0; i < 3; ++i) {
            old = last->drag[k][i] - before->drag[k][i];
            along += (pair->drag[i] - last->drag[k][i]) * old, squares += old * old;
        }
    }
    return along / squares;
}

// Extrapolates a pair's impulse by `far` times its last change and projects it onto Coulomb's cone:
// no pair pulls.
static void leap_pair(sherd_contact_problem *p, const masses *m, int k, const impulses *last,
                      double far)
{
    sherd_contact_pair *pair = &p->pair[k];
    double wanted = pair->push + far * (pair->push - last->push[k]), drag[3], change[3];
    wanted = wanted > 0.0 ? wanted : 0.0;
    for (int i = 0; i < 3; ++i)
        drag[i] = pair->drag[i] + far * (pair->drag[i] - last->drag[k][i]);
    double squares = sherd_axes_dot(drag, drag), most = pair->friction * wanted,
           share = squares > most * most ? most / sqrt(squares) : 1.0;
    for (int i = 0; i < 3; ++i) {
        change[i] = (wanted - pair->push) * pair->normal[i] + share * drag[i] - pair->drag[i];
        pair->drag[i] = share * drag[i];
    }
    pair->push = wanted;
    push(p, m, pair, change);
}

// Extrapolates all pairs, by at most `most` times the last change.
static void leap(sherd_contact_problem *p, const masses *m, const impulses *before,
                 const impulses *last, double most)
{
    double rate = rate_of(p, before, last);
    if (!(rate > 0.0)) return;
    double far = rate < 1.0 ? fmin(rate / (1.0 - rate), most) : most;
    for (int k = 0; k < p->pairs; ++k)
        if (!isinf(m->reduced[k])) leap_pair(p, m, k, last, far);
}

// ---------------------------------------------------------------- drifts

// Where contacts form closed loops and some of them slip, impulses can circulate for ever by a
// small amount. The constraints then hold to that accuracy, and further sweeps only move between
// solutions. `earlier`: the change six sweeps ago.
static bool drifts(int sweeps, double change, double earlier, double scale)
{
    return sweeps > SHERD_CONTACT_BEFORE_DRIFTS && change <= SHERD_CONTACT_DRIFT * scale &&
           change > SHERD_CONTACT_FADING * earlier;
}

// ---------------------------------------------------------------- problems

int sherd_contact_solve(sherd_contact_problem *p)
{
    SHERD_ASSERT(sherd_contact_is_posed(p), "problems of nodes are posed");
    double scale = sherd_contact_scale(p);
    masses m;
    find_masses(p, &m);
    forget_impulses(p);
    impulses before, last;
    double earlier = INFINITY;
    for (int k = 1; k <= SHERD_CONTACT_SWEEPS; ++k) {
        // Friction does not change velocities along the normal, so a single pair is solved by one
        // sweep.
        double change = sweep(p, &m);
        if (change <= SHERD_CONTACT_ROUNDING * scale || p->pairs == 1) return k;
        int since = k % SHERD_CONTACT_BETWEEN_LEAPS;
        if (since == SHERD_CONTACT_BETWEEN_LEAPS - 2) {
            if (drifts(k, change, earlier, scale)) return 0;
            earlier = change;
            note_impulses(p, &before);
        } else if (since == SHERD_CONTACT_BETWEEN_LEAPS - 1)
            note_impulses(p, &last);
        else if (since == 0 && k <= SHERD_CONTACT_LAST_LEAP)
            // No impulse exceeds the momentum of the bodies.
            leap(p, &m, &before, &last, SHERD_CONTACT_FARTHEST_LEAP * scale / change);
    }
    return 0;
}
