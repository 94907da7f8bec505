#include "stepping/explicit/damping_work.h"

#include "base/assertion.h"
#include "math/vec3.h"
#include "models/bonded/bond_loads.h"
#include "stepping/explicit/verlet_energy_offset.h"

#include <stdlib.h>

// Runs of consecutive bonds: all, or every n-th so that there are at most MAX_RUNS, in turn.
// Successive runs in a turn are far from each other.
enum { RUN = 8, MAX_RUNS = 256, SHUFFLE = 13, RUNS_A_CHUNK = 32 };
enum { MAX_CHUNKS = MAX_RUNS / RUNS_A_CHUNK };
// Minimum interval of samples [steps]; longer if most of the sampled bonds are in no cache.
enum { MIN_INTERVAL = 8, MIN_INTERVAL_UNCACHED = 16 };
// A sample is due when the amount booked since the last one is this fraction of the total. After
// breaks vibrations may begin suddenly; until something breaks, half as many checks and larger
// fractions suffice.
static const double WORTH_A_SAMPLE = 0.02, WORTH_WHILE_WHOLE = 0.05;
static const double FORGET = 0.5; // weight of older samples at each new one
// A step that takes more than this fraction of the total is sampled itself if a sample has all
// bonds: an impact of a small body lasts only a few steps, which differ much from each other. The
// steps after it are sampled, too, while rates are small and kicks large, because a vibration
// exchanges the two.
static const double WORTH_ITS_OWN = 0.001;
// If power grows slowly, as under slow loads, the ratio holds for a thousand steps and more, and a
// sample costs as much as a step. Kicks below this fraction of the power, while that is below twice
// its last level, change the result by at most twice this fraction of a twentieth of the total
// until the next regular sample: 0.1 % of the damping work.
static const double STEADY_FRACTION = 0.01, STEADY_POWER = 2.0;

typedef struct damping_powers {
    double seen, kicked; // P(r), P(rho) [W]
} damping_powers;

static sherd_bond_motion motion_between(const sherd_half_kick *i, const sherd_half_kick *j)
{
    return (sherd_bond_motion){vec3_sub(j->v, i->v), i->w, j->w};
}

// A softening bond has reduced damping, one that parts none.
static double remaining_damping(const sherd_system *s, int64_t bond)
{
    if (!sherd_bond_softens(&s->bonds, bond)) return 1.0;
    sherd_bond_constants constants = sherd_bond_constants_of(&s->bonds, &s->elements, bond);
    return sherd_bond_integrity(&s->bonds, &constants, bond);
}

int sherd_changed_kick_order(const void *a, const void *b)
{
    sherd_element_index left = ((const sherd_changed_kick *)a)->element,
                        right = ((const sherd_changed_kick *)b)->element;
    return (left > right) - (left < right);
}

// NULL: its loads are those of its first half kick.
static const sherd_changed_kick *changed_kick(const sherd_system *s, sherd_element_index k)
{
    sherd_changed_kick key = {.element = k};
    if (s->changed_count == 0) return NULL;
    return bsearch(&key, s->changed, s->changed_count, sizeof key, sherd_changed_kick_order);
}

// A chunk in which something broke has had its half kick already, with the previous loads.
static sherd_half_kick velocities_seen(const sherd_system *s, sherd_element_index k,
                                       const sherd_half_kick *kick)
{
    const sherd_elements *e = &s->elements;
    sherd_half_kick now = {sherd_element_velocity(e, k), sherd_element_spin(e, k)};
    if (s->chunks[(size_t)k / s->chunk_length].kick_due) return now;
    const sherd_changed_kick *changed = changed_kick(s, k);
    if (changed != NULL) kick = &changed->before;
    return (sherd_half_kick){vec3_sub(now.v, kick->v), vec3_sub(now.w, kick->w)};
}

// Includes all loads.
static sherd_half_kick whole_kick(const sherd_system *s, sherd_element_index k,
                                  const sherd_half_kick *kick)
{
    if (s->outer == NULL) return *kick;
    return (sherd_half_kick){vec3_add(kick->v, s->outer[k].v), vec3_add(kick->w, s->outer[k].w)};
}

static damping_powers powers_of(const sherd_system *s, int64_t bond)
{
    sherd_element_index i = s->bonds.i[bond], j = s->bonds.j[bond];
    sherd_bond_resistance c = sherd_bond_resistance_of(&s->bonds, &s->elements, bond);
    sherd_half_kick kick_i = sherd_element_half_kick(s, i), kick_j = sherd_element_half_kick(s, j);
    sherd_half_kick seen_i = velocities_seen(s, i, &kick_i),
                    seen_j = velocities_seen(s, j, &kick_j);
    kick_i = whole_kick(s, i, &kick_i), kick_j = whole_kick(s, j, &kick_j);
    sherd_bond_motion seen = motion_between(&seen_i, &seen_j),
                      change = motion_between(&kick_i, &kick_j);
    double left = remaining_damping(s, bond);
    return (damping_powers){left * sherd_bond_damping_power(&c, &seen),
                            left * sherd_bond_damping_power(&c, &change)};
}

// True if the work of a bond's damping in this step is booked separately.
static bool is_apart(const sherd_system *s, int64_t bond)
{
    return changed_kick(s, s->bonds.i[bond]) != NULL || changed_kick(s, s->bonds.j[bond]) != NULL;
}

typedef struct sample {
    const sherd_system *system;
    int64_t first, one_in; // runs
    damping_powers chunk[MAX_CHUNKS + 1];
} sample;

static void sum_sample(void *context, size_t begin, size_t end)
{
    sample *taken = context;
    const sherd_bonds *bonds = &taken->system->bonds;
    damping_powers sum = {0.0, 0.0};
    for (size_t k = begin; k < end; ++k) {
        int64_t run = RUN * (taken->first + taken->one_in * (int64_t)k);
        for (int64_t bond = run; bond < run + RUN && bond < bonds->count; ++bond) {
            if (bonds->broken[bond] || is_apart(taken->system, bond)) continue;
            damping_powers powers = powers_of(taken->system, bond);
            sum.seen += powers.seen;
            sum.kicked += powers.kicked;
        }
    }
    taken->chunk[begin / RUNS_A_CHUNK] = sum;
}

static int64_t runs_of(const sherd_system *s)
{
    return (s->bonds.count + RUN - 1) / RUN;
}

// A sample takes every n-th run.
static int64_t one_in_of(const sherd_system *s)
{
    int64_t one_in = (runs_of(s) + MAX_RUNS - 1) / MAX_RUNS;
    return one_in % SHUFFLE == 0 ? one_in + 1 : one_in; // so that all bonds get a turn
}

static damping_powers take_sample(const sherd_system *s)
{
    int64_t runs = runs_of(s), one_in = one_in_of(s);
    sample taken = {
        .system = s, .first = s->step / MIN_INTERVAL * SHUFFLE % one_in, .one_in = one_in};
    int64_t count = (runs - taken.first + one_in - 1) / one_in;
    damping_powers sum = {0.0, 0.0};
    sherd_parallel_for(&s->parallel, (size_t)count, RUNS_A_CHUNK, sum_sample, &taken);
    for (int64_t c = 0; c < (count + RUNS_A_CHUNK - 1) / RUNS_A_CHUNK; ++c) {
        sum.seen += taken.chunk[c].seen;
        sum.kicked += taken.chunk[c].kicked;
    }
    return sum;
}

static bool has_all_bonds(const sherd_system *s)
{
    return runs_of(s) <= MAX_RUNS;
}

// Kicks are small and stay so.
static bool is_steady(const sherd_system *s, double now)
{
    const sherd_damping_sample *d = &s->accounts.damping;
    return d->kicked_sum <= STEADY_FRACTION * d->seen_sum &&
           d->kicked <= STEADY_FRACTION * d->level && now <= STEADY_POWER * s->dt * d->level;
}

// `now`: the work in the present step.
static bool is_due(const sherd_system *s, double now)
{
    const sherd_damping_sample *d = &s->accounts.damping;
    double largest = fmax(now, s->dt * d->kicked);
    if (has_all_bonds(s) && largest > WORTH_ITS_OWN * d->total && !is_steady(s, now)) return true;
    bool whole = s->bonds.broken_count == 0;
    int64_t every = (has_all_bonds(s) ? MIN_INTERVAL : MIN_INTERVAL_UNCACHED) * (whole ? 2 : 1);
    double worth = whole ? WORTH_WHILE_WHOLE : WORTH_A_SAMPLE;
    return s->step % every == 0 && d->accounted > worth * d->total;
}

// Equal at the stability limit; larger only by rounding, for bonds that do not move.
static double kicked_fraction(damping_powers powers)
{
    return powers.seen > 0.0 ? fmin(1.0, powers.kicked / powers.seen) : 0.0;
}

// Powers fall by orders of magnitude after an impact. Unscaled, its samples would outweigh all
// later ones, so previous samples count at most at the present level: the mean since the last
// sample, or the present sample, which may be near a zero of a vibration.
static void add_sample(sherd_damping_sample *d, const damping_powers *sum, double mean)
{
    double level = fmax(mean, fmax(sum->seen, sum->kicked));
    double kept = (1.0 - FORGET) * (d->level > level ? level / d->level : 1.0);
    d->seen_sum = kept * d->seen_sum + sum->seen;
    d->kicked_sum = kept * d->kicked_sum + sum->kicked;
    d->level = level;
}

// Bonds at which something broke are booked separately, and their neighbours are not
// representative. A sample of all bonds is exact for this step, and is used also if kicks are
// larger than the rates that damping sees, because those follow.
void sherd_system_account_damping(sherd_system *system, double power)
{
    SHERD_ASSERT(!(power < -1e-9 * fabs(system->accounts.dissipated_bonds)), // checks report NaN
                 "damping dissipates energy");
    sherd_damping_sample *d = &system->accounts.damping;
    double now = system->dt * power, apart = system->damping_apart;
    system->accounts.dissipated_bonds += now;
    d->accounted += now - apart;
    d->total += now;
    ++d->steps;
    system->damping_apart = 0.0;
    if (!is_due(system, now)) return;
    damping_powers sum = take_sample(system);
    d->kicked = (1.0 - FORGET) * d->kicked + sum.kicked;
    add_sample(d, &sum, d->accounted / ((double)d->steps * system->dt * (double)one_in_of(system)));
    if (!(d->seen_sum > 0.0)) return;
    double fraction = kicked_fraction((damping_powers){d->seen_sum, d->kicked_sum});
    system->accounts.dissipated_bonds -=
        has_all_bonds(system) ? (d->accounted - now + apart) * fraction + system->dt * sum.kicked
                              : d->accounted * fraction;
    d->accounted = 0.0, d->steps = 0;
}

static void account_apart(sherd_system *system, double seen, double excess)
{
    system->accounts.dissipated_bonds -= system->dt * excess;
    system->damping_apart += system->dt * seen;
}

// The last of N forces, D_N, acts on r_N for half a step only. sum_{k<N} c r (r + rho) + 1/2 c
// r_N^2 is sum_{k<N} (P(r) - P(rho)) + 3/4 P(r_N), of which the whole P(r_N) is booked so far.
void sherd_system_account_last_damping(sherd_system *system, int64_t bond)
{
    double last = powers_of(system, bond).seen;
    account_apart(system, last, 0.25 * last);
}

// ---------------------------------------------------------------- loads that change between two half kicks

// Half of the change of velocities in both half kicks.
static sherd_half_kick mean_kick(const sherd_system *s, sherd_element_index k,
                                 const sherd_half_kick *now)
{
    const sherd_changed_kick *changed = changed_kick(s, k);
    if (changed == NULL) return *now;
    return (sherd_half_kick){vec3_scale(0.5, vec3_add(changed->before.v, now->v)),
                             vec3_scale(0.5, vec3_add(changed->before.w, now->w))};
}

static damping_powers powers_between(const sherd_system *s, int64_t bond)
{
    sherd_element_index i = s->bonds.i[bond], j = s->bonds.j[bond];
    sherd_bond_resistance c = sherd_bond_resistance_of(&s->bonds, &s->elements, bond);
    sherd_half_kick kick_i = sherd_element_half_kick(s, i), kick_j = sherd_element_half_kick(s, j),
                    mean_i = mean_kick(s, i, &kick_i), mean_j = mean_kick(s, j, &kick_j);
    mean_i = whole_kick(s, i, &mean_i), mean_j = whole_kick(s, j, &mean_j);
    sherd_bond_motion mean = motion_between(&mean_i, &mean_j);
    return (damping_powers){powers_of(s, bond).seen,
                            remaining_damping(s, bond) * sherd_bond_damping_power(&c, &mean)};
}

// A bond with two changed ends counts at its first one.
void sherd_system_account_changed_kicks(sherd_system *system)
{
    const sherd_adjacency *a = &system->adjacency;
    const sherd_bonds *bonds = &system->bonds;
    for (size_t n = 0; n < system->changed_count; ++n) {
        sherd_element_index k = system->changed[n].element;
        for (uint32_t at = a->start[k]; at < a->start[k + 1]; ++at) {
            uint32_t bond = a->bond[at];
            bool first = bonds->i[bond] == k;
            if (bonds->broken[bond] || (!first && changed_kick(system, bonds->i[bond]) != NULL))
                continue;
            damping_powers powers = powers_between(system, bond);
            account_apart(system, powers.seen, powers.kicked);
        }
    }
}
