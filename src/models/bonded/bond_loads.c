#include "models/bonded/bond_loads.h"

#include "base/assertion.h"
#include "math/vec3.h"
#include "models/bonded/storage/bond_measure.h"
#include "models/bonded/storage/bonds.h"

#include <math.h>

enum { BATCH = 8192, CHUNK = 512 };

static void find_element_stresses(const sherd_bonded *b)
{
    sherd_element_criterion_evaluate(&b->blocks->criterion, b->bonds, b->elements, b->adjacency,
                                     &b->parallel, 0.0);
}

// ---------------------------------------------------------------- what frames tell

// All threads analyse one batch of bonds; then the batch is visited in order by one thread.
typedef struct batch {
    const sherd_bonded *bonded;
    int64_t first;
    sherd_bond_measures of[BATCH];
} batch;

static void analyse(void *context, size_t begin, size_t end)
{
    batch *b = context;
    const sherd_bonds *bonds = b->bonded->bonds;
    const sherd_elements *e = b->bonded->elements;
    for (size_t k = begin; k < end; ++k) {
        int64_t bond = b->first + (int64_t)k;
        b->of[k] = sherd_bond_measure(bonds, e, bond);
        if (bonds->broken[bond]) continue;
        b->of[k].stress_ratio =
            fmax(b->of[k].stress_ratio,
                 sherd_element_criterion_ratio(&b->bonded->blocks->criterion, bonds, e, bond));
    }
}

// Analyses the batch of bonds that begins at b->first and returns its size.
static int64_t analyse_batch(batch *b)
{
    int64_t remaining = b->bonded->bonds->count - b->first,
            size = remaining < BATCH ? remaining : BATCH;
    sherd_parallel_for(&b->bonded->parallel, (size_t)size, CHUNK, analyse, b);
    return size;
}

// Takes the larger of each end's ratio and that of its bond.
static void give_to_ends(const sherd_bonds *bonds, const batch *b, int64_t size, float *ratio)
{
    for (int64_t k = 0; k < size; ++k) {
        float *i = &ratio[bonds->i[b->first + k]], *j = &ratio[bonds->j[b->first + k]];
        *i = fmaxf(*i, (float)b->of[k].stress_ratio);
        *j = fmaxf(*j, (float)b->of[k].stress_ratio);
    }
}

// Sums energies in the order of sherd_parallel_sum: by chunks of bonds, then over chunks.
typedef struct energy_sum {
    int64_t chunk;
    double total[2], partial[2]; // stored, noise
} energy_sum;

static void add_batch(energy_sum *sum, const sherd_bonds *bonds, const batch *b, int64_t size)
{
    for (int64_t k = 0; k < size; ++k) {
        int64_t bond = b->first + k;
        if (!bonds->broken[bond]) sum->partial[0] += b->of[k].stored;
        sum->partial[1] += b->of[k].noise;
        if ((bond + 1) % sum->chunk != 0 && bond + 1 != bonds->count) continue;
        for (int n = 0; n < 2; ++n) {
            sum->total[n] += sum->partial[n];
            sum->partial[n] = 0.0;
        }
    }
}

sherd_model_measures sherd_bonded_measure(const sherd_bonded *bonded, float *ratio)
{
    const sherd_bonds *bonds = bonded->bonds;
    for (sherd_element_index k = 0; ratio != NULL && k < bonded->elements->count; ++k)
        ratio[k] = 0.0f;
    find_element_stresses(bonded);
    batch b = {.bonded = bonded, .first = 0};
    energy_sum sum = {
        .chunk = (int64_t)sherd_parallel_sum_chunk((size_t)bonds->count, SHERD_BOND_SUM_CHUNK)};
    double largest = 0.0;
    for (int64_t size; b.first < bonds->count; b.first += size) {
        size = analyse_batch(&b);
        for (int64_t k = 0; k < size; ++k)
            largest = fmax(largest, b.of[k].stress_ratio);
        add_batch(&sum, bonds, &b, size);
        if (ratio != NULL) give_to_ends(bonds, &b, size, ratio);
    }
    return (sherd_model_measures){sum.total[0], sum.total[1], largest};
}

// ---------------------------------------------------------------- loads

sherd_bond_load sherd_bond_load_of(const sherd_bonds *bonds, const sherd_elements *e, int64_t bond)
{
    SHERD_ASSERT(bond >= 0 && bond < bonds->count, "the bond is one of the list");
    if (bonds->broken[bond]) return (sherd_bond_load){.energy = 0.0};
    sherd_bond_analysis a = sherd_bond_analyse_static(bonds, e, bond);
    sherd_bond_constants constants = sherd_bond_constants_of(bonds, e, bond);
    sherd_vec3 n = vec3_normalize(vec3_sub(sherd_element_position(e, bonds->j[bond]),
                                           sherd_element_position(e, bonds->i[bond])));
    sherd_vec3 moment = vec3_scale(0.5, vec3_sub(a.torque_j, a.torque_i));
    double along = vec3_dot(a.force_j, n), about = vec3_dot(moment, n);
    return (sherd_bond_load){
        .force = a.force_j,
        .moment = moment,
        .normal_force = -along,
        .shear_force = vec3_length(vec3_add_scaled(a.force_j, -along, n)),
        .bending_moment = vec3_length(vec3_add_scaled(moment, -about, n)),
        .twisting_moment = -about,
        .energy = a.energy,
        .stress_ratio = a.stress_ratio,
        .damage = 1.0 - sherd_bond_integrity(bonds, &constants, bond),
        .plastic_strain = sherd_bond_plastic_strain(bonds, bond),
    };
}

typedef struct job {
    const sherd_bonded *bonded;
    sherd_bond_load *loads;
} job;

static void find_range(void *context, size_t begin, size_t end)
{
    const job *j = context;
    const sherd_bonded *b = j->bonded;
    for (size_t k = begin; k < end; ++k) {
        sherd_bond_load *load = &j->loads[k];
        *load = sherd_bond_load_of(b->bonds, b->elements, (int64_t)k);
        load->stress_ratio =
            fmax(load->stress_ratio, sherd_element_criterion_ratio(&b->blocks->criterion, b->bonds,
                                                                   b->elements, (int64_t)k));
    }
}

void sherd_bonded_find_loads(const sherd_bonded *bonded, sherd_bond_load *loads)
{
    find_element_stresses(bonded);
    job j = {bonded, loads};
    sherd_parallel_for(&bonded->parallel, (size_t)bonded->bonds->count, CHUNK, find_range, &j);
}

// ---------------------------------------------------------------- damping

sherd_bond_resistance sherd_bond_resistance_of(const sherd_bonds *bonds,
                                               const sherd_elements *elements, int64_t bond)
{
    sherd_bond_constants constants = sherd_bond_constants_of(bonds, elements, bond);
    sherd_vec3 b = vec3_sub(sherd_element_position(elements, bonds->j[bond]),
                            sherd_element_position(elements, bonds->i[bond]));
    double length = vec3_length(b), section = M_PI * constants.r0 * constants.r0;
    double integrity = sherd_bond_integrity(bonds, &constants, bond);
    double shift = integrity * constants.beta * section / constants.l0,
           rotation = 0.25 * constants.r0 * constants.r0 * shift;
    return (sherd_bond_resistance){.b = b,
                                   .n = vec3_scale(length > 0.0 ? 1.0 / length : 0.0, b),
                                   .stretch = constants.E * shift,
                                   .shear = constants.G * shift,
                                   .twist = 2.0 * constants.G * rotation,
                                   .bend = constants.E * rotation};
}
