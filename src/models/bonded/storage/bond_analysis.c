// Energies, stresses and loads of single bonds, in scalar arithmetic.
#define SHERD_LANES 1
#include "base/assertion.h"
#include "laws/bond/bond_laws.h"
#include "laws/breakage/breakage.h"
#include "laws/breakage/softening.h"
#include "models/bonded/storage/bond_classes.h"
#include "models/bonded/storage/bond_measure.h"
#include "models/bonded/storage/bonds.h"
#include "models/rounding.h"

static lane3 element_vector(const double *x, const double *y, const double *z,
                            sherd_element_index k)
{
    return (lane3){x[k], y[k], z[k]};
}

static lane4 element_orientation(const sherd_elements *e, sherd_element_index k)
{
    return (lane4){e->qx[k], e->qy[k], e->qz[k], e->qw[k]};
}

// A bond and all that its state points to; it contains pointers to itself and can't be copied.
typedef struct single_bond {
    sherd_bond_constants constants;
    double numbers[SHERD_CLASS_NUMBERS];
    double before[BOND_MAX_HISTORY], after[BOND_MAX_HISTORY];
    bond_state s;
} single_bond;

static void fetch_history(const sherd_bonds *bonds, int64_t bond, single_bond *b)
{
    for (int n = 0; n < bonds->history_stride; ++n)
        b->before[n] = b->after[n] = (double)bonds->history[bond * bonds->history_stride + n];
    b->s.history = b->before;
    b->s.new_history = b->after;
}

static void fetch_bond(const sherd_bonds *bonds, const sherd_elements *e, int64_t bond,
                       single_bond *b)
{
    b->constants = sherd_bond_constants_of(bonds, e, bond);
    sherd_bond_numbers(&b->constants, b->numbers);
    sherd_element_index i = bonds->i[bond], j = bonds->j[bond];
    lane3 d0 = {b->constants.d0.x, b->constants.d0.y, b->constants.d0.z};
    lane3 along =
        lane3_sub(element_vector(e->px, e->py, e->pz, j), element_vector(e->px, e->py, e->pz, i));
    b->s = (bond_state){
        .du = lane3_sub_scaled(along, b->constants.l0, d0),
        .q_i = element_orientation(e, i),
        .q_j = element_orientation(e, j),
        .alive = lane_mask_of_bits(1),
        .section = {.numbers = b->numbers},
    };
    fetch_history(bonds, bond, b);
}

static bond_motion motion_of(const sherd_bonds *bonds, const sherd_elements *e, int64_t bond)
{
    sherd_element_index i = bonds->i[bond], j = bonds->j[bond];
    return (bond_motion){
        .v_ij = lane3_sub(element_vector(e->vx, e->vy, e->vz, j),
                          element_vector(e->vx, e->vy, e->vz, i)),
        .w_i = element_vector(e->wx, e->wy, e->wz, i),
        .w_j = element_vector(e->wx, e->wy, e->wz, j),
    };
}

#define HISTORY_OF(doc, ability, history) (history)
#define LOADS(NAME, name, ...)                                                                     \
    case SHERD_BOND_LAW_##NAME:                                                                    \
        return bond_loads(bond_law_##name, HISTORY_OF(__VA_ARGS__) > 0, s, m);
#define ENERGY(NAME, name, ...)                                                                    \
    case SHERD_BOND_LAW_##NAME:                                                                    \
        return bond_energy_##name(s);

static bond_load loads_of(sherd_bond_law law, const bond_state *s, const bond_motion *m)
{
    switch ((int)law) {
        SHERD_ALL_BOND_LAWS(LOADS)
    default:
        SHERD_ASSERT(false, "the law has loads and energy");
        return (bond_load){0};
    }
}

static double energy_of(sherd_bond_law law, const bond_state *s)
{
    switch ((int)law) {
        SHERD_ALL_BOND_LAWS(ENERGY)
    default:
        SHERD_ASSERT(false, "the law has loads and energy");
        return NAN;
    }
}

// ---------------------------------------------------------------- bonds that soften

static bool has_softened(const sherd_bonds *bonds, int64_t bond)
{
    return bonds->opening != NULL && bonds->opening[bond] > 0.0F;
}

double sherd_bond_integrity(const sherd_bonds *bonds, const sherd_bond_constants *constants,
                            int64_t bond)
{
    if (!has_softened(bonds, bond)) return 1.0;
    return bond_integrity((double)bonds->opening[bond], constants->critical_opening);
}

// The part of the undamaged bond's energy that softening reduces [J].
static double softening_energy(const single_bond *b)
{
    bond_frame f = bond_frame_of(&b->s);
    return energy_of(sherd_bond_kind_law(b->constants.kind), &b->s) -
           bond_pressure_energy(&b->s.section, &f);
}

// `load` is the load of the undamaged bond.
static bond_ray ray_of(const single_bond *b, const bond_load *load)
{
    const sherd_breakage_info *criterion =
        &sherd_breakage_rows[sherd_bond_kind_breakage(b->constants.kind)];
    bond_criterion c = bond_criterion_of(criterion);
    double energy = criterion->magnitude ? energy_of(sherd_bond_kind_law(b->constants.kind), &b->s)
                                         : softening_energy(b);
    bond_limit limit = {NUMBER(&b->s.section, NORMAL_LIMIT), NUMBER(&b->s.section, SHEAR_LIMIT)};
    return bond_ray_of(&c, &b->s.section, &limit, load, energy, b->constants.critical_opening);
}

// Assumes that the strain grew in proportion since the previous opening. Beyond the critical
// opening nothing more is lost.
double sherd_bond_softening_loss(const sherd_bonds *bonds, const sherd_elements *elements,
                                 int64_t bond, float before)
{
    single_bond b;
    fetch_bond(bonds, elements, bond, &b);
    bond_motion m = motion_of(bonds, elements, bond);
    bond_load load = loads_of(sherd_bond_kind_law(b.constants.kind), &b.s, &m);
    bond_ray ray = ray_of(&b, &load);
    double was = bond_integrity((double)before, b.constants.critical_opening),
           is = sherd_bond_integrity(bonds, &b.constants, bond);
    double from = bond_ray_opening(&ray, was), to = bond_ray_opening(&ray, is),
           now = fmax(ray.ratio, to);
    return (was - is) * softening_energy(&b) * from * to / (now * now);
}

static bool yields(const single_bond *b)
{
    return sherd_bond_kind_law(b->constants.kind) == SHERD_BOND_LAW_YIELDING;
}

// Plastic work of the present state beyond that of the stored history [J]. Call after the law has
// computed the load.
static double plastic_work(const single_bond *b)
{
    double area = 3.14159265358979323846 * b->constants.r0 * b->constants.r0;
    double work = bond_yield_work(b->s.new_history) - bond_yield_work(b->s.history);
    return b->constants.moduli.stretch * area * b->constants.l0 * work;
}

// Energy stored in a bond, reduced by softening [J].
static double stored_in(const sherd_bonds *bonds, int64_t bond, const single_bond *b)
{
    double energy = energy_of(sherd_bond_kind_law(b->constants.kind), &b->s);
    if (!has_softened(bonds, bond)) return energy;
    bond_frame f = bond_frame_of(&b->s);
    return bond_softened_energy(sherd_bond_integrity(bonds, &b->constants, bond), energy,
                                bond_pressure_energy(&b->s.section, &f));
}

// Changes load and stresses from those of the undamaged bond to those of the softened bond.
static void soften(const sherd_bonds *bonds, int64_t bond, const single_bond *b, bond_load *load,
                   bond_stress *stress)
{
    if (!has_softened(bonds, bond)) return;
    bond_frame f = bond_frame_of(&b->s);
    double integrity = sherd_bond_integrity(bonds, &b->constants, bond),
           pressure = bond_pressure(&b->s.section, &f),
           area = 3.14159265358979323846 * b->constants.r0 * b->constants.r0;
    bond_soften(&f, integrity, pressure, load);
    load->normal_force = integrity * load->normal_force + (1.0 - integrity) * pressure;
    load->shear_force2 *= integrity * integrity;
    load->bending2 *= integrity * integrity;
    load->twisting *= integrity;
    stress->normal = integrity * stress->normal + (1.0 - integrity) * pressure / area;
    stress->shear *= integrity;
}

// ---------------------------------------------------------------- all about one bond

// The term of the larger ratio (normal stress, shear stress) that contributes most. If the bond has
// no strengths itself, because the stress of elements breaks it: the larger term of the larger sum.
static sherd_break_mode mode_of(const sherd_breakage_info *criterion, const bond_stress_terms *t,
                                const bond_load *load, const sherd_bond_constants *constants)
{
    bond_stress stress = bond_stress_of(t);
    bool none = isinf(constants->sigma_c) && isinf(constants->tau_c);
    double sigma = stress.normal / (none ? 1.0 : constants->sigma_c),
           tau = stress.shear / (none ? 1.0 : constants->tau_c);
    if (tau > sigma) return t->across >= t->twisting ? SHERD_BREAK_SHEAR : SHERD_BREAK_TWISTING;
    if (t->bending > t->along) return SHERD_BREAK_BENDING;
    bool crushed = criterion->magnitude && load->normal_force < 0.0;
    return crushed ? SHERD_BREAK_COMPRESSION : SHERD_BREAK_TENSION;
}

static sherd_bond_analysis describe(const single_bond *b, const bond_load *load)
{
    return (sherd_bond_analysis){
        .force_j = {load->force_j.x, load->force_j.y, load->force_j.z},
        .torque_i = {load->torque_i.x, load->torque_i.y, load->torque_i.z},
        .torque_j = {load->torque_j.x, load->torque_j.y, load->torque_j.z},
        .normal_force = load->normal_force,
        .shear_force = sqrt(load->shear_force2),
        .bending_moment = NUMBER(&b->s.section, BEND2) * sqrt(fmax(load->bending2, 0.0)),
        .twisting_moment = NUMBER(&b->s.section, TWIST2) * load->twisting,
    };
}

// `load` and `stress` are those of the undamaged bond; sets the opening that the state requires.
static double stress_ratio_of(const sherd_bonds *bonds, int64_t bond, const single_bond *b,
                              const bond_load *load, const bond_stress *stress, double *required)
{
    const sherd_bond_constants *c = &b->constants;
    double ratio = fmax(stress->normal / c->sigma_c, stress->shear / c->tau_c);
    *required = 0.0;
    if (c->critical_opening > 0.0) {
        bond_ray ray = ray_of(b, load);
        *required = bond_required_opening(&ray, c->critical_opening);
        if (has_softened(bonds, bond))
            ratio /= bond_ray_opening(&ray, sherd_bond_integrity(bonds, c, bond));
    }
    if (sherd_bond_law_history(sherd_bond_kind_law(c->kind)) > 0)
        ratio = fmax(ratio, load->exhaustion);
    return ratio;
}

static const sherd_breakage_info *criterion_of(const single_bond *b)
{
    return &sherd_breakage_rows[sherd_bond_kind_breakage(b->constants.kind)];
}

static double noise_of(const sherd_bonds *bonds, const sherd_elements *elements, int64_t bond,
                       const sherd_bond_constants *c)
{
    double strain = sherd_noise_strain(sherd_element_position(elements, bonds->i[bond]), c->l0);
    return 0.5 * c->E * strain * strain * M_PI * c->r0 * c->r0 * c->l0;
}

sherd_bond_measures sherd_bond_measure(const sherd_bonds *bonds, const sherd_elements *elements,
                                       int64_t bond)
{
    if (bonds->broken[bond]) {
        sherd_bond_constants constants = sherd_bond_stiffness_of(bonds, elements, bond);
        return (sherd_bond_measures){.noise = noise_of(bonds, elements, bond, &constants)};
    }
    single_bond b;
    fetch_bond(bonds, elements, bond, &b);
    double stored = stored_in(bonds, bond, &b); // of the history, which loads_of changes
    bond_motion motion = motion_of(bonds, elements, bond);
    bond_load load = loads_of(sherd_bond_kind_law(b.constants.kind), &b.s, &motion);
    bond_stress_terms terms =
        bond_stress_terms_of(criterion_of(&b), b.constants.r0, &b.s.section, &load);
    bond_stress stress = bond_stress_of(&terms);
    double required;
    return (sherd_bond_measures){stored, noise_of(bonds, elements, bond, &b.constants),
                                 stress_ratio_of(bonds, bond, &b, &load, &stress, &required)};
}

static sherd_bond_analysis analyse(const sherd_bonds *bonds, const sherd_elements *elements,
                                   int64_t bond, const bond_motion *motion)
{
    single_bond b;
    fetch_bond(bonds, elements, bond, &b);
    bond_load load = loads_of(sherd_bond_kind_law(b.constants.kind), &b.s, motion);
    const sherd_breakage_info *criterion = criterion_of(&b);
    bond_stress_terms terms = bond_stress_terms_of(criterion, b.constants.r0, &b.s.section, &load);
    bond_stress stress = bond_stress_of(&terms);
    sherd_break_mode mode = mode_of(criterion, &terms, &load, &b.constants);
    double required, ratio = stress_ratio_of(bonds, bond, &b, &load, &stress, &required);
    soften(bonds, bond, &b, &load, &stress);
    sherd_bond_analysis a = describe(&b, &load);
    a.energy = stored_in(bonds, bond, &b) + (yields(&b) ? plastic_work(&b) : 0.0);
    a.normal_stress = stress.normal;
    a.shear_stress = stress.shear;
    a.stress_ratio = ratio;
    a.required_opening = required;
    a.mode = mode;
    return a;
}

sherd_bond_analysis sherd_bond_analyse(const sherd_bonds *bonds, const sherd_elements *elements,
                                       int64_t bond)
{
    SHERD_ASSERT(bond >= 0 && bond < bonds->count, "the bond is one of the list");
    bond_motion motion = motion_of(bonds, elements, bond);
    return analyse(bonds, elements, bond, &motion);
}

sherd_bond_analysis sherd_bond_analyse_static(const sherd_bonds *bonds,
                                              const sherd_elements *elements, int64_t bond)
{
    SHERD_ASSERT(bond >= 0 && bond < bonds->count, "the bond is one of the list");
    const bond_motion none = {0};
    return analyse(bonds, elements, bond, &none);
}

double sherd_bond_plastic_strain(const sherd_bonds *bonds, int64_t bond)
{
    if (!sherd_bond_yields(bonds, bond)) return 0.0;
    return (double)bonds->history[bond * bonds->history_stride + BOND_YIELD_ELONGATION];
}

// ---------------------------------------------------------------- all of them

enum { CHUNK = SHERD_BOND_SUM_CHUNK };

typedef struct energy_sum {
    const sherd_bonds *bonds;
    const sherd_elements *elements;
} energy_sum;

static double sum_energy(void *context, size_t begin, size_t end)
{
    const energy_sum *sum = context;
    double energy = 0.0;
    for (size_t k = begin; k < end; ++k) {
        if (sum->bonds->broken[k]) continue;
        single_bond b;
        fetch_bond(sum->bonds, sum->elements, (int64_t)k, &b);
        energy += stored_in(sum->bonds, (int64_t)k, &b);
    }
    return energy;
}

double sherd_bonds_energy(const sherd_bonds *bonds, const sherd_elements *elements,
                          const sherd_parallel *parallel)
{
    energy_sum sum = {bonds, elements};
    return sherd_parallel_sum(parallel, (size_t)bonds->count, CHUNK, sum_energy, &sum);
}

typedef struct remembering {
    sherd_bonds *bonds;
    const sherd_elements *elements;
} remembering;

static double remember_chunk(void *context, size_t begin, size_t end)
{
    const remembering *r = context;
    int stride = r->bonds->history_stride;
    const bond_motion none = {0};
    double work = 0.0;
    for (size_t k = begin; k < end; ++k) {
        if (r->bonds->broken[k]) continue;
        single_bond b;
        fetch_bond(r->bonds, r->elements, (int64_t)k, &b);
        loads_of(sherd_bond_kind_law(b.constants.kind), &b.s, &none);
        if (yields(&b)) work += plastic_work(&b);
        for (int n = 0; n < stride; ++n)
            r->bonds->history[k * (size_t)stride + (size_t)n] = (float)b.after[n];
    }
    return work;
}

double sherd_bonds_update_histories(sherd_bonds *bonds, const sherd_elements *elements,
                                    const sherd_parallel *parallel)
{
    if (bonds->history == NULL) return 0.0;
    remembering r = {bonds, elements};
    return sherd_parallel_sum(parallel, (size_t)bonds->count, CHUNK, remember_chunk, &r);
}

// ---------------------------------------------------------------- bonds that yield

static double sum_plastic_work(void *context, size_t begin, size_t end)
{
    const energy_sum *sum = context;
    double work = 0.0;
    for (size_t k = begin; k < end; ++k) {
        if (!sherd_bond_yields(sum->bonds, (int64_t)k)) continue;
        sherd_bond_constants constants =
            sherd_bond_stiffness_of(sum->bonds, sum->elements, (int64_t)k);
        double before[BOND_MAX_HISTORY];
        for (int n = 0; n < BOND_YIELD_NUMBERS; ++n)
            before[n] = (double)sum->bonds->history[(int64_t)k * sum->bonds->history_stride + n];
        work += bond_yield_work(before) * constants.moduli.stretch * constants.l0 *
                (3.14159265358979323846 * constants.r0 * constants.r0);
    }
    return work;
}

double sherd_bonds_plastic_work(const sherd_bonds *bonds, const sherd_elements *elements,
                                const sherd_parallel *parallel)
{
    if (bonds->history == NULL) return 0.0;
    energy_sum sum = {bonds, elements};
    return sherd_parallel_sum(parallel, (size_t)bonds->count, CHUNK, sum_plastic_work, &sum);
}

_Static_assert((int)SHERD_BOND_YIELD_TANGENT == (int)BOND_YIELD_TANGENT, "one number");

bool sherd_bond_yield_tangent(const sherd_bonds *bonds, const sherd_elements *elements,
                              int64_t bond, double tangent[SHERD_BOND_YIELD_TANGENT])
{
    if (!sherd_bond_yields(bonds, bond)) return false;
    single_bond b;
    fetch_bond(bonds, elements, bond, &b);
    b.s.trial = true;
    bond_yielding_stiffness(&b.s, tangent);
    return tangent[0] < 1.0;
}

static void begin_chunk(void *context, size_t begin, size_t end)
{
    const remembering *r = context;
    for (size_t k = begin; k < end; ++k) {
        if (!sherd_bond_yields(r->bonds, (int64_t)k)) continue;
        sherd_bond_yield yield = sherd_bond_yield_of(r->bonds, r->elements, (int64_t)k);
        float *history = r->bonds->history + (int64_t)k * r->bonds->history_stride;
        history[BOND_YIELD_STRAIN] = (float)yield.strain;
        history[BOND_YIELD_HARDENING] = (float)yield.hardening;
        history[BOND_YIELD_FRACTURE] = (float)yield.fracture;
    }
}

void sherd_bonds_begin_histories(sherd_bonds *bonds, const sherd_elements *elements,
                                 const sherd_parallel *parallel)
{
    if (bonds->history == NULL) return;
    remembering r = {bonds, elements};
    sherd_parallel_for(parallel, (size_t)bonds->count, CHUNK, begin_chunk, &r);
}
