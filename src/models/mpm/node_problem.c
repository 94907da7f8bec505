#include "models/mpm/node_problem.h"

#include <math.h>
#include <stdbool.h>

static const double ROUNDING = 1e-13; // of the largest momentum; changes below it end the sweeps

static double dot(const double a[3], const double b[3])
{
    return a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
}

// What all sweeps need.
typedef struct masses {
    double inverse[SHERD_NODE_BODIES]; // [1/kg]
    double reduced[SHERD_NODE_PAIRS];  // [kg]
} masses;

// Infinite masses are walls: INFINITY of two of them, which no impulse moves.
static double reduced_mass(double a, double b)
{
    if (isinf(a)) return b;
    return isinf(b) ? a : a * b / (a + b);
}

static void find_masses(const sherd_node_problem *p, masses *m)
{
    for (int k = 0; k < p->bodies; ++k)
        m->inverse[k] = 1.0 / p->mass[k];
    for (int k = 0; k < p->pairs; ++k) {
        m->reduced[k] = reduced_mass(p->mass[p->pair[k].a], p->mass[p->pair[k].b]);
    }
}

// Adds an impulse to b and takes it from a.
static void push(sherd_node_problem *p, const masses *m, const sherd_node_pair *pair,
                 const double impulse[3])
{
    for (int k = 0; k < 3; ++k) {
        p->velocity[pair->a][k] -= impulse[k] * m->inverse[pair->a];
        p->velocity[pair->b][k] += impulse[k] * m->inverse[pair->b];
    }
}

static void relative_velocity(const sherd_node_problem *p, const sherd_node_pair *pair, double v[3])
{
    for (int k = 0; k < 3; ++k)
        v[k] = p->velocity[pair->a][k] - p->velocity[pair->b][k];
}

// Both return how much the pair's impulse changed.
static double solve_normal(sherd_node_problem *p, const masses *m, sherd_node_pair *pair,
                           double mass)
{
    double v[3], impulse[3];
    relative_velocity(p, pair, v);
    double wanted = pair->push + mass * (dot(v, pair->normal) - pair->reach);
    wanted = wanted > 0.0 ? wanted : 0.0;
    double change = wanted - pair->push;
    if (change == 0.0) return 0.0;
    pair->push = wanted;
    for (int k = 0; k < 3; ++k)
        impulse[k] = change * pair->normal[k];
    push(p, m, pair, impulse);
    return change > 0.0 ? change : -change;
}

static double solve_friction(sherd_node_problem *p, const masses *m, sherd_node_pair *pair,
                             double mass)
{
    double v[3], wanted[3], change[3];
    relative_velocity(p, pair, v);
    double along = dot(v, pair->normal), most = pair->friction * pair->push;
    for (int k = 0; k < 3; ++k)
        wanted[k] = pair->drag[k] + mass * (v[k] - along * pair->normal[k]);
    double squares = dot(wanted, wanted),
           share = squares > most * most ? most / sqrt(squares) : 1.0;
    for (int k = 0; k < 3; ++k) {
        change[k] = share * wanted[k] - pair->drag[k];
        pair->drag[k] = share * wanted[k];
    }
    push(p, m, pair, change);
    return sqrt(dot(change, change));
}

static bool drags(const sherd_node_pair *pair)
{
    return pair->push > 0.0 || dot(pair->drag, pair->drag) > 0.0;
}

static double sweep(sherd_node_problem *p, const masses *m)
{
    double most = 0.0;
    for (int k = 0; k < p->pairs; ++k) {
        sherd_node_pair *pair = &p->pair[k];
        if (isinf(m->reduced[k])) continue;
        double change = solve_normal(p, m, pair, m->reduced[k]);
        most = change > most ? change : most;
        if (!(pair->friction > 0.0 && drags(pair))) continue;
        change = solve_friction(p, m, pair, m->reduced[k]);
        most = change > most ? change : most;
    }
    return most;
}

static void forget_impulses(sherd_node_problem *p)
{
    for (int k = 0; k < p->pairs; ++k)
        p->pair[k].push = p->pair[k].drag[0] = p->pair[k].drag[1] = p->pair[k].drag[2] = 0.0;
}

void sherd_node_solve_pairwise(sherd_node_problem *p)
{
    masses m;
    find_masses(p, &m);
    forget_impulses(p);
    sweep(p, &m);
}

// The largest.
static double speed_of(const sherd_node_problem *p)
{
    double most = 0.0;
    for (int k = 0; k < p->bodies; ++k)
        most = fmax(most, sqrt(dot(p->velocity[k], p->velocity[k])));
    return most;
}

int sherd_node_solve(sherd_node_problem *p)
{
    double scale = 0.0, speed = speed_of(p);
    masses m;
    find_masses(p, &m);
    for (int k = 0; k < p->bodies; ++k)
        if (isfinite(p->mass[k])) scale = fmax(scale, p->mass[k] * speed);
    forget_impulses(p);
    for (int k = 1; k <= SHERD_NODE_SWEEPS;
         ++k) // what is across a normal changes nothing along it: one pair is done
        if (sweep(p, &m) <= ROUNDING * scale || p->pairs == 1) return k;
    return 0;
}
