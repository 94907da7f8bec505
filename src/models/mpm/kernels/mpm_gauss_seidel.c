// Contact problems of several nodes at once, one per SIMD lane, with the same bits as
// sherd_contact_solve (mpm_contact_solver.c). In a single problem each pair has to wait for the
// velocities that the previous pair changed; lanes hide this latency.
#include "models/mpm/contact/mpm_contact_solver.h"
#include "models/mpm/kernels/mpm_kernels.h"

#include "math/lane.h"

#include <math.h>
#include <string.h>

enum { MAX_PAIRS = 48 }; // of all lanes together; nodes with more are solved one by one

typedef double numbers[SHERD_LANES];

// A pair of bodies a, b of all problems that have it.
typedef struct wide_pair {
    numbers normal[3], slip[3], reach, friction; // as in sherd_contact_pair
    // Reduced mass; 0 without such a pair, or if nothing moves
    numbers mass;
    // Push and drag: present, and two earlier values for leaps
    numbers given[4], before[4], last[4];
    // Number of the pair in each lane's problem; -1: none
    int a, b, of[SHERD_LANES];
} __attribute__((aligned(64))) wide_pair;

typedef struct wide_problem {
    numbers velocity[SHERD_CONTACT_BODIES][3], inverse[SHERD_CONTACT_BODIES], scale;
    wide_pair pair[MAX_PAIRS];
    int pairs, bodies;
} __attribute__((aligned(64))) wide_problem;

// ---------------------------------------------------------------- from problems and back

// Merges a problem's pairs into the list, which retains the order of every problem's pairs. False
// if there are too many.
static bool insert_pairs(const sherd_contact_problem *p, wide_problem *w)
{
    int at = 0;
    for (int k = 0; k < p->pairs; ++k, ++at) {
        int a = p->pair[k].a, b = p->pair[k].b, found = at;
        while (found < w->pairs && (w->pair[found].a != a || w->pair[found].b != b))
            ++found;
        if (found < w->pairs) {
            at = found;
            continue;
        }
        if (w->pairs == MAX_PAIRS) return false;
        for (int n = w->pairs++; n > at; --n)
            w->pair[n].a = w->pair[n - 1].a, w->pair[n].b = w->pair[n - 1].b;
        w->pair[at].a = a, w->pair[at].b = b;
    }
    return true;
}

static void load_pair(const sherd_contact_problem *p, const sherd_contact_pair *pair, int n,
                      wide_pair *to)
{
    double mass = sherd_contact_reduced_mass(p->mass[pair->a], p->mass[pair->b]);
    to->mass[n] = mass < HUGE_VAL ? mass : 0.0;
    to->reach[n] = pair->reach, to->friction[n] = pair->friction;
    for (int i = 0; i < 3; ++i)
        to->normal[i][n] = pair->normal[i], to->slip[i][n] = pair->slip[i];
}

static void load_problem(const sherd_contact_problem *p, int n, wide_problem *w)
{
    for (int k = 0; k < p->bodies; ++k) {
        w->inverse[k][n] = 1.0 / p->mass[k];
        for (int i = 0; i < 3; ++i)
            w->velocity[k][i][n] = p->velocity[k][i];
    }
    w->scale[n] = sherd_contact_scale(p);
    for (int k = 0, at = 0; k < p->pairs; ++k, ++at) {
        while (w->pair[at].a != p->pair[k].a || w->pair[at].b != p->pair[k].b)
            ++at;
        w->pair[at].of[n] = k;
        load_pair(p, &p->pair[k], n, &w->pair[at]);
    }
}

static void clear_pair(wide_pair *pair)
{
    int a = pair->a, b = pair->b;
    memset(pair, 0, sizeof *pair);
    pair->a = a, pair->b = b;
    for (int n = 0; n < SHERD_LANES; ++n)
        pair->of[n] = -1;
}

static bool load_problems(sherd_contact_problem *const problems[], int count, wide_problem *w)
{
    w->pairs = w->bodies = 0;
    for (int n = 0; n < count; ++n) {
        if (!insert_pairs(problems[n], w)) return false;
        w->bodies = problems[n]->bodies > w->bodies ? problems[n]->bodies : w->bodies;
    }
    memset(w->velocity, 0, (size_t)w->bodies * sizeof w->velocity[0]);
    memset(w->inverse, 0, (size_t)w->bodies * sizeof w->inverse[0]);
    memset(w->scale, 0, sizeof w->scale);
    for (int k = 0; k < w->pairs; ++k)
        clear_pair(&w->pair[k]);
    for (int n = 0; n < count; ++n)
        load_problem(problems[n], n, w);
    return true;
}

static void store_problem(const wide_problem *w, int n, sherd_contact_problem *p)
{
    for (int k = 0; k < p->bodies; ++k)
        for (int i = 0; i < 3; ++i)
            p->velocity[k][i] = w->velocity[k][i][n];
    for (int k = 0; k < w->pairs; ++k) {
        if (w->pair[k].of[n] < 0) continue;
        sherd_contact_pair *pair = &p->pair[w->pair[k].of[n]];
        pair->push = w->pair[k].given[0][n];
        for (int i = 0; i < 3; ++i)
            pair->drag[i] = w->pair[k].given[1 + i][n];
    }
}

// ---------------------------------------------------------------- sweeps

LANE_INLINE void load(const numbers *from, int count, lane *to)
{
    for (int k = 0; k < count; ++k)
        to[k] = lane_load(from[k]);
}

// Stores v in the lanes `on`.
LANE_INLINE void store(numbers *to, int count, lane_mask on, const lane *v)
{
    for (int k = 0; k < count; ++k)
        lane_store(to[k], lane_select(on, v[k], lane_load(to[k])));
}

LANE_INLINE lane dot(const lane a[3], const lane b[3])
{
    return a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
}

// Velocities of both bodies of a pair.
typedef struct two {
    lane a[3], b[3], inverse_a, inverse_b;
} two;

LANE_INLINE two load_two(const wide_problem *w, const wide_pair *pair)
{
    two v;
    load(w->velocity[pair->a], 3, v.a), load(w->velocity[pair->b], 3, v.b);
    v.inverse_a = lane_load(w->inverse[pair->a]), v.inverse_b = lane_load(w->inverse[pair->b]);
    return v;
}

LANE_INLINE void store_two(wide_problem *w, const wide_pair *pair, const two *v, lane_mask on)
{
    store(w->velocity[pair->a], 3, on, v->a), store(w->velocity[pair->b], 3, on, v->b);
}

LANE_INLINE void push(two *v, const lane impulse[3], lane_mask on)
{
    for (int i = 0; i < 3; ++i) {
        v->a[i] = lane_select(on, v->a[i] - impulse[i] * v->inverse_a, v->a[i]);
        v->b[i] = lane_select(on, v->b[i] + impulse[i] * v->inverse_b, v->b[i]);
    }
}

// Factor that projects a friction impulse onto Coulomb's cone.
LANE_INLINE lane share_of(const lane drag[3], lane most)
{
    lane squares = dot(drag, drag);
    lane_mask beyond = lane_greater(squares, most * most);
    if (!lane_any(beyond)) return lane_of(1);
    return lane_select(beyond, most / lane_sqrt(squares), lane_of(1));
}

// solve_normal and solve_friction return the change of impulses.
LANE_INLINE lane push_pair(two *v, const lane normal[3], lane mass, lane reach, lane *given,
                           lane_mask on)
{
    lane between[3], impulse[3];
    for (int i = 0; i < 3; ++i)
        between[i] = v->a[i] - v->b[i];
    lane wanted = lane_max(*given + mass * (dot(between, normal) - reach), lane_of(0));
    lane change = wanted - *given;
    for (int i = 0; i < 3; ++i)
        impulse[i] = change * normal[i];
    push(v, impulse, on & lane_greater(lane_abs(change), lane_of(0)));
    *given = wanted;
    return lane_keep(on, lane_abs(change));
}

LANE_INLINE lane drag_pair(two *v, const wide_pair *pair, const lane normal[3], lane mass,
                           lane most, lane drag[3], lane_mask on)
{
    lane between[3], wanted[3], change[3];
    for (int i = 0; i < 3; ++i)
        between[i] = v->a[i] - v->b[i];
    lane along = dot(between, normal);
    for (int i = 0; i < 3; ++i)
        wanted[i] = drag[i] + mass * (between[i] - along * normal[i] - lane_load(pair->slip[i]));
    lane share = share_of(wanted, most);
    for (int i = 0; i < 3; ++i) {
        change[i] = share * wanted[i] - drag[i];
        drag[i] = lane_select(on, share * wanted[i], drag[i]);
    }
    push(v, change, on);
    return lane_keep(on, lane_sqrt(dot(change, change)));
}

LANE_INLINE lane sweep_pair(wide_problem *w, wide_pair *pair, lane_mask on)
{
    lane normal[3], given[4], mass = lane_load(pair->mass), friction = lane_load(pair->friction);
    load(pair->normal, 3, normal), load(pair->given, 4, given);
    two v = load_two(w, pair);
    lane most = push_pair(&v, normal, mass, lane_load(pair->reach), &given[0], on);
    lane_mask drags =
        lane_greater(given[0], lane_of(0)) | lane_greater(dot(given + 1, given + 1), lane_of(0));
    drags = drags & on & lane_greater(friction, lane_of(0));
    if (lane_any(drags))
        most = lane_max(drag_pair(&v, pair, normal, mass, friction * given[0], given + 1, drags),
                        most);
    store(pair->given, 4, on, given);
    store_two(w, pair, &v, on);
    return most;
}

LANE_INLINE lane sweep(wide_problem *w, lane_mask active)
{
    lane most = lane_of(0);
    for (int k = 0; k < w->pairs; ++k) {
        lane_mask on = active & lane_greater(lane_load(w->pair[k].mass), lane_of(0));
        if (lane_any(on)) most = lane_max(sweep_pair(w, &w->pair[k], on), most);
    }
    return most;
}

// ---------------------------------------------------------------- leaps

LANE_INLINE lane rate_of(const wide_problem *w)
{
    lane along = lane_of(0), squares = lane_of(0);
    for (int k = 0; k < w->pairs; ++k)
        for (int i = 0; i < 4; ++i) {
            const wide_pair *pair = &w->pair[k];
            lane last = lane_load(pair->last[i]), old = last - lane_load(pair->before[i]);
            along += (lane_load(pair->given[i]) - last) * old, squares += old * old;
        }
    return along / squares;
}

LANE_INLINE void leap_pair(wide_problem *w, wide_pair *pair, lane far, lane_mask on)
{
    lane normal[3], given[4], last[4], there[4], change[3];
    load(pair->normal, 3, normal), load(pair->given, 4, given), load(pair->last, 4, last);
    two v = load_two(w, pair);
    for (int i = 0; i < 4; ++i)
        there[i] = given[i] + far * (given[i] - last[i]);
    there[0] = lane_max(there[0], lane_of(0));
    lane share = share_of(there + 1, lane_load(pair->friction) * there[0]);
    for (int i = 0; i < 3; ++i) {
        change[i] = (there[0] - given[0]) * normal[i] + share * there[1 + i] - given[1 + i];
        there[1 + i] = share * there[1 + i];
    }
    push(&v, change, on);
    store(pair->given, 4, on, there);
    store_two(w, pair, &v, on);
}

LANE_INLINE void leap(wide_problem *w, lane most, lane_mask active)
{
    lane rate = rate_of(w);
    lane_mask leaps = active & lane_greater(rate, lane_of(0));
    lane far = lane_select(lane_greater(lane_of(1), rate), lane_min(rate / (1 - rate), most), most);
    for (int k = 0; k < w->pairs; ++k) {
        lane_mask on = leaps & lane_greater(lane_load(w->pair[k].mass), lane_of(0));
        if (lane_any(on)) leap_pair(w, &w->pair[k], far, on);
    }
}

// ---------------------------------------------------------------- problems

static void note(wide_problem *w, bool last)
{
    for (int k = 0; k < w->pairs; ++k)
        memcpy(last ? w->pair[k].last : w->pair[k].before, w->pair[k].given,
               sizeof w->pair[k].given);
}

static void end(lane_mask ended, int sweeps, int out[SHERD_LANES])
{
    unsigned bits = lane_mask_bits(ended);
    for (int n = 0; n < SHERD_LANES; ++n)
        if (bits >> n & 1) out[n] = sweeps;
}

static void solve(wide_problem *w, int sweeps[SHERD_LANES])
{
    lane scale = lane_load(w->scale), earlier = lane_of(HUGE_VAL);
    lane_mask active = lane_greater(scale, lane_of(-1));
    for (int k = 1; k <= SHERD_CONTACT_SWEEPS && lane_any(active); ++k) {
        lane change = sweep(w, active);
        int since = k % SHERD_CONTACT_BETWEEN_LEAPS;
        lane_mask met = active & lane_not(lane_greater(change, SHERD_CONTACT_ROUNDING * scale));
        end(met, k, sweeps);
        active = active & lane_not(met);
        if (since == SHERD_CONTACT_BETWEEN_LEAPS - 2) {
            lane_mask drifts = lane_not(lane_greater(change, SHERD_CONTACT_DRIFT * scale)) &
                               lane_greater(change, SHERD_CONTACT_FADING * earlier);
            if (k > SHERD_CONTACT_BEFORE_DRIFTS) active = active & lane_not(drifts);
            earlier = change;
            note(w, false);
        } else if (since == SHERD_CONTACT_BETWEEN_LEAPS - 1) {
            note(w, true);
        } else if (since == 0 && k <= SHERD_CONTACT_LAST_LEAP) {
            leap(w, SHERD_CONTACT_FARTHEST_LEAP * scale / change, active);
        }
    }
}

static void solve_some(sherd_contact_problem *const problems[], const int place[], int count,
                       int sweeps[])
{
    wide_problem w;
    sherd_contact_problem *some[SHERD_LANES];
    int took[SHERD_LANES] = {0};
    for (int n = 0; n < count; ++n)
        some[n] = problems[place[n]];
    if (!load_problems(some, count, &w)) return;
    solve(&w, took);
    for (int n = 0; n < count; ++n)
        store_problem(&w, n, some[n]), sweeps[place[n]] = took[n];
}

// Problems with one pair, and single problems, are faster by sherd_contact_solve.
void SHERD_KERNEL(sherd_mpm_gauss_seidel)(sherd_contact_problem *const problems[], int count,
                                          int sweeps[])
{
    int place[SHERD_LANES], held = 0;
    for (int k = 0; k < count; ++k) {
        sweeps[k] = SHERD_MPM_ALONE;
        if (problems[k]->pairs >= 2) place[held++] = k;
        if (held < SHERD_LANES && k < count - 1) continue;
        if (held > 1) solve_some(problems, place, held, sweeps);
        held = 0;
    }
}
