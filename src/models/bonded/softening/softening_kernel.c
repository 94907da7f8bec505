#include "models/bonded/softening/softening_kernel.h"

#include "laws/bond/bond_laws.h"
#include "laws/breakage/breakage.h"
#include "laws/breakage/softening.h"
#include "points/element_gather.h"

// As many bonds as a vector holds, all of one kind; lanes beyond `count` repeat the first.
typedef struct run {
    int count;
    real numbers[SHERD_SLOT_NUMBERS][SHERD_LANES] __attribute__((aligned(64)));
    real critical[SHERD_LANES] __attribute__((aligned(64)));
    real opening[SHERD_LANES] __attribute__((aligned(64)));
    int32_t i[SHERD_LANES], j[SHERD_LANES];
} run;

static void collect(const sherd_softening_work *w, int32_t begin, int32_t end, run *r)
{
    r->count = 0;
    for (int k = 0; k < SHERD_LANES; ++k) {
        bool has = begin + k < end && w->bonds[begin + k].kind == w->bonds[begin].kind;
        const sherd_softening_bond *bond = &w->bonds[has ? begin + k : begin];
        r->count += has;
        for (int n = 0; n < SHERD_SLOT_NUMBERS; ++n)
            r->numbers[n][k] = bond->numbers[n];
        r->critical[k] = bond->critical;
        r->opening[k] = (real)w->opening[bond->bond];
        r->i[k] = bond->i, r->j[k] = bond->j;
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

// What comes of a run, before it is told to its bonds.
typedef struct outcome {
    bond_load load;
    lane energy, lost, missed;
    lane asked;        // opening
    lane stress_ratio; // over what the bond may bear now
} outcome;

// Largest openings are remembered in single precision: what follows is of those.
LANE_INLINE lane grow(run *r, lane asked)
{
    real now[SHERD_LANES] __attribute__((aligned(64)));
    lane_store(now, lane_max(lane_load(r->opening), asked));
    for (int k = 0; k < SHERD_LANES; ++k)
        now[k] = (real)(float)now[k];
    return lane_load(now);
}

// What the state asks for, before openings grow. `energy`: that softens, were the bond whole.
LANE_INLINE void ask(const sherd_breakage_info *criterion, const bond_section *k, const run *r,
                     lane energy, outcome *out)
{
    lane critical = lane_load(r->critical);
    bond_criterion c = bond_criterion_of(criterion);
    bond_ray ray = bond_ray_of(&c, k, &out->load, energy, critical);
    lane left = bond_integrity(lane_load(r->opening), critical);
    out->asked = bond_asked_opening(&ray, critical);
    out->stress_ratio = ray.ratio / bond_ray_opening(&ray, left);
}

// Where stiffness falls by -d(integrity) in a step, trapezoids of loads do more work than what is stored grows by
// -d(integrity) x . K x' / 2, x and x' the strains before and after. With x = x' - dt dx/dt that is
// -d(integrity) (V' - dt/2 dV'/dt). Damping takes a quarter of the power that falls away more than is booked of it: the
// sum of r_next^2 - r^2 (stepping/explicit/damping_work.h), each times what is left of its c, has that over.
LANE_INLINE void resist(const sherd_softening_work *w, const sherd_breakage_info *criterion,
                        bond_law *law, bond_potential *potential, run *r, outcome *out)
{
    bond_state s = state_of(w->elements, r);
    bond_motion m = motion_of(w->elements, r);
    lane_series series = {.short_only = false};
    const bond_rate still = {{lane_of(0), lane_of(0), lane_of(0)},
                             {lane_of(0), lane_of(0), lane_of(0)}};
    bond_frame f;
    bond_elastic elastic;
    bond_strain(law, &s, &series, &f, &elastic, &out->load);
    lane energy = potential(&s, &f, &out->load);
    lane pressure = bond_pressure(&s.section, &f), closed = bond_pressure_energy(&s.section, &f);
    ask(criterion, &s.section, r, criterion->magnitude ? energy : energy - closed, out);

    lane critical = lane_load(r->critical), before = lane_load(r->opening);
    lane opening = w->grows ? grow(r, out->asked) : before;
    lane integrity = bond_integrity(opening, critical);
    bond_add_up(&s, &f, &elastic, &still, &out->load);
    lane rate = bond_softened_rate(&f, pressure, &out->load, &m);
    lane dt = lane_of((real)w->dt), whole = bond_integrity(before, critical);
    out->lost = (whole - integrity) * lane_fnma(0.5 * dt, rate, energy - closed);
    out->missed = bond_closing_loss(&s.section, &f, whole, &m, dt);
    out->energy = bond_softened_energy(integrity, energy, closed);
    bond_rate damping = bond_damp(&s, &m, &f, &elastic, &out->load);
    bond_add_up(&s, &f, &elastic, &damping, &out->load);
    lane power = out->load.damping_power;
    bond_soften(&f, integrity, pressure, &out->load);
    out->missed += 0.25 * dt * (whole - integrity) * power;
    lane_store(r->opening, opening);
}

static sherd_vec3 vector_of(const lane3 *v, int k)
{
    return (sherd_vec3){lane_get(v->x, k), lane_get(v->y, k), lane_get(v->z, k)};
}

// Nothing happens within a body that sleeps (stepping/sleep/rigid_sleep.h).
static void tell(const sherd_softening_work *w, int32_t at, int k, const run *r, const outcome *out,
                 sherd_softening_sum *sum)
{
    sherd_softening_result *result = &w->results[at];
    *result = (sherd_softening_result){.asked = 0.0};
    if (w->elements->asleep[r->i[k]]) return;
    if (w->grows) w->opening[w->bonds[at].bond] = (float)r->opening[k];
    result->force_j = vector_of(&out->load.force_j, k);
    result->torque_i = vector_of(&out->load.torque_i, k);
    result->torque_j = vector_of(&out->load.torque_j, k);
    result->asked = lane_get(out->asked, k);
    sum->energy += lane_get(out->energy, k);
    sum->damping_power += lane_get(out->load.damping_power, k);
    sum->lost += lane_get(out->lost, k);
    sum->missed += lane_get(out->missed, k);
    double ratio = lane_get(out->stress_ratio, k);
    if (ratio > sum->stress_ratio) sum->stress_ratio = ratio; // no fmax: kernels call nothing
    sum->parted += r->opening[k] >= r->critical[k];
}

#define POTENTIAL_ENERGY(law) bond_potential_##law
#define POTENTIAL_FORCES(law) potential_##law
#define POTENTIAL_OF_FORCES(law)                                                                   \
    LANE_INLINE lane potential_##law(const bond_state *s, const bond_frame *f,                     \
                                     const bond_load *load)                                        \
    {                                                                                              \
        (void)f, (void)load;                                                                       \
        return bond_energy_##law(s);                                                               \
    }
#define POTENTIAL_OF_ENERGY(law)
#define OWN_POTENTIAL(NAME, law, doc, ability, history) POTENTIAL_OF_##ability(law)
SHERD_ALL_BOND_LAWS(OWN_POTENTIAL)

// Laws with a history don't soften (sherd_material_def_check).
#define RESIST(NAME, law, doc, ability, history)                                                   \
    static __attribute__((noinline)) void resist_##law(                                            \
        const sherd_softening_work *w, const sherd_breakage_info *criterion, run *r, outcome *out) \
    {                                                                                              \
        resist(w, criterion, bond_law_##law, POTENTIAL_##ability(law), r, out);                    \
    }
SHERD_ALL_BOND_LAWS(RESIST)

typedef void resist_function(const sherd_softening_work *w, const sherd_breakage_info *criterion,
                             run *r, outcome *out);
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
        for (int k = 0; k < r.count; ++k)
            tell(w, at + k, k, &r, &out, sum);
    }
}
