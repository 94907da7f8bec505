#include "models/bonded/softening/softening_kernel.h"

#include "laws/bond/bond_potentials.h"
#include "laws/breakage/breakage.h"
#include "laws/breakage/softening.h"
#include "math/lane_transpose.h"
#include "points/element_gather.h"

#include <stddef.h>

// Bonds are records of 16 doubles, so that a vector of bonds is read and transposed in registers.
enum { RECORD = 16, CRITICAL = SHERD_SLOT_NUMBERS };
_Static_assert(sizeof(sherd_softening_bond) == RECORD * sizeof(real), "a record");
_Static_assert(offsetof(sherd_softening_bond, critical) == CRITICAL * sizeof(real),
               "after numbers");

// A vector of bonds of one kind; lanes from `count` on repeat the first.
typedef struct run {
    int count;
    real numbers[RECORD][SHERD_LANES] __attribute__((aligned(64)));
    real opening[SHERD_LANES] __attribute__((aligned(64)));
    int32_t i[SHERD_LANES], j[SHERD_LANES];
} run;

static int same_kind(const sherd_softening_bond *bonds, int32_t begin, int32_t end)
{
    int count = 1;
    while (count < SHERD_LANES && begin + count < end &&
           bonds[begin + count].kind == bonds[begin].kind)
        ++count;
    return count;
}

LANE_INLINE void collect(const sherd_softening_work *w, int32_t begin, int32_t end, run *r)
{
    r->count = same_kind(w->bonds, begin, end);
    const sherd_softening_bond *bond[SHERD_LANES];
    for (int k = 0; k < SHERD_LANES; ++k) {
        bond[k] = &w->bonds[k < r->count ? begin + k : begin];
        r->opening[k] = (real)w->opening[bond[k]->bond];
        r->i[k] = bond[k]->i, r->j[k] = bond[k]->j;
    }
    for (int first = 0; first < RECORD; first += SHERD_LANES) {
        lane square[SHERD_LANES];
        for (int k = 0; k < SHERD_LANES; ++k)
            memcpy(&square[k], (const char *)bond[k] + (size_t)first * sizeof(real), LANE_BYTES);
        lane_transpose(square);
        for (int n = 0; n < SHERD_LANES; ++n)
            lane_store(r->numbers[first + n], square[n]);
    }
}

LANE_INLINE bond_state state_of(const sherd_elements *e, const run *r)
{
    bond_state s = {.q_i = gather_orientations(e, r->i),
                    .q_j = gather_orientations(e, r->j),
                    .alive = lane_not(lane_mask_of_bits(0)),
                    .section = {BOND_SECTION_OWN, r->numbers[0], NULL, SHERD_LANES}};
    lane3 along = lane3_sub(gather_vectors(e->px, e->py, e->pz, r->j),
                            gather_vectors(e->px, e->py, e->pz, r->i));
    s.du = lane3_sub_scaled(along, 2 * NUMBER(&s.section, HALF_L0), bond_d0(&s.section));
    return s;
}

LANE_INLINE bond_motion motion_of(const sherd_elements *e, const run *r)
{
    return (bond_motion){lane3_sub(gather_vectors(e->vx, e->vy, e->vz, r->j),
                                   gather_vectors(e->vx, e->vy, e->vz, r->i)),
                         gather_vectors(e->wx, e->wy, e->wz, r->i),
                         gather_vectors(e->wx, e->wy, e->wz, r->j)};
}

// Results of a run, before they are stored.
typedef struct outcome {
    bond_load load;
    lane energy;
    lane required;     // opening
    lane stress_ratio; // over the present strength of the softened bond
} outcome;

// `energy`: the part of the undamaged bond's energy that softening reduces.
LANE_INLINE void ask(const sherd_breakage_info *criterion, const bond_section *k, const run *r,
                     lane energy, outcome *out)
{
    lane critical = lane_load(r->numbers[CRITICAL]);
    bond_criterion c = bond_criterion_of(criterion);
    bond_limit limit = {NUMBER(k, NORMAL_LIMIT), NUMBER(k, SHEAR_LIMIT)};
    bond_ray ray = bond_ray_of(&c, k, &limit, &out->load, energy, critical);
    lane undamaged = bond_integrity(lane_load(r->opening), critical);
    out->required = bond_required_opening(&ray, critical);
    out->stress_ratio = bond_softened_ratio(&ray, undamaged);
}

LANE_INLINE void resist(const sherd_softening_work *w, const sherd_breakage_info *criterion,
                        bond_law *law, bond_potential *potential, const run *r, outcome *out)
{
    bond_state s = state_of(w->elements, r);
    bond_motion m = motion_of(w->elements, r);
    lane_series series = {.short_only = false};
    bond_frame f;
    bond_elastic elastic;
    bond_strain(law, &s, &series, &f, &elastic, &out->load);
    lane energy = potential(&s, &f, &out->load);
    lane pressure = bond_pressure(&s.section, &f), closed = bond_pressure_energy(&s.section, &f);
    ask(criterion, &s.section, r, criterion->magnitude ? energy : energy - closed, out);

    lane integrity = bond_integrity(lane_load(r->opening), lane_load(r->numbers[CRITICAL]));
    out->energy = bond_softened_energy(integrity, energy, closed);
    bond_rate damping = bond_damp(&s, &m, &f, &elastic, &out->load);
    bond_add_up(&s, &f, &elastic, &damping, &out->load);
    bond_soften(&f, integrity, pressure, &out->load);
}

// Results are records of numbers too, which are transposed in registers.
enum { RESULT = sizeof(sherd_softening_result) / sizeof(real) };
_Static_assert((int)RESULT <= (int)RECORD, "they fit the same squares");

LANE_INLINE void turn_results(const outcome *out, real rows[SHERD_LANES][RECORD])
{
    const bond_load *load = &out->load;
    const lane zero = lane_of(0);
    lane numbers[RECORD] = {load->force_j.x,
                            load->force_j.y,
                            load->force_j.z,
                            load->torque_i.x,
                            load->torque_i.y,
                            load->torque_i.z,
                            load->torque_j.x,
                            load->torque_j.y,
                            load->torque_j.z,
                            out->required,
                            zero,
                            zero,
                            zero,
                            zero,
                            zero,
                            zero};
    for (int first = 0; first < RESULT; first += SHERD_LANES) {
        lane_transpose(numbers + first);
        for (int k = 0; k < SHERD_LANES; ++k)
            lane_store(rows[k] + first, numbers[first + k]);
    }
}

// Sums over a run.
typedef struct run_sums {
    real energy[SHERD_LANES], power[SHERD_LANES], ratio[SHERD_LANES];
} run_sums;

LANE_INLINE void add_to_sum(const run_sums *of, int k, sherd_softening_sum *sum)
{
    sum->energy += of->energy[k];
    sum->damping_power += of->power[k];
    // not fmax: kernels call no functions
    if (of->ratio[k] > sum->stress_ratio) sum->stress_ratio = of->ratio[k];
}

// Skips sleeping bodies, whose state does not change (stepping/sleep/rigid_sleep.h).
LANE_INLINE void store_result(const sherd_softening_work *w, int32_t at, const run *r,
                              const outcome *out, sherd_softening_sum *sum)
{
    real rows[SHERD_LANES][RECORD] __attribute__((aligned(64)));
    run_sums of __attribute__((aligned(64)));
    turn_results(out, rows);
    lane_store(of.energy, out->energy), lane_store(of.power, out->load.damping_power);
    lane_store(of.ratio, out->stress_ratio);
    for (int k = 0; k < r->count; ++k) {
        sherd_softening_result *result = &w->results[at + k];
        if (w->elements->asleep[r->i[k]]) {
            *result = (sherd_softening_result){.required = 0.0};
            continue;
        }
        memcpy(result, rows[k], sizeof *result);
        add_to_sum(&of, k, sum);
    }
}

// Laws with a history do not soften (sherd_material_def_check).
#define RESIST(NAME, law, doc, ability, history)                                                   \
    static __attribute__((noinline)) void resist_##law(const sherd_softening_work *w,              \
                                                       const sherd_breakage_info *criterion,       \
                                                       const run *r, outcome *out)                 \
    {                                                                                              \
        resist(w, criterion, bond_law_##law, bond_own_potential_##law, r, out);                    \
    }
SHERD_ALL_BOND_LAWS(RESIST)

typedef void resist_function(const sherd_softening_work *w, const sherd_breakage_info *criterion,
                             const run *r, outcome *out);
#define RESIST_ROW(NAME, law, ...) resist_##law,
static resist_function *const RESISTS[] = {SHERD_ALL_BOND_LAWS(RESIST_ROW)};

void SHERD_KERNEL(sherd_softening)(const sherd_softening_work *w, int32_t begin, int32_t end,
                                   sherd_softening_sum *sum)
{
    run r;
    *sum = (sherd_softening_sum){0};
    for (int32_t at = begin; at < end; at += r.count) {
        collect(w, at, end, &r);
        sherd_bond_kind kind = w->bonds[at].kind;
        outcome out;
        RESISTS[sherd_bond_kind_law(kind)](w, &w->criteria[sherd_bond_kind_breakage(kind)], &r,
                                           &out);
        store_result(w, at, &r, &out, sum);
    }
}
