#include "models/bonded/bonded_model.h"

#include "base/hash.h"
#include "models/bonded/bond_stress.h"
#include "models/bonded/bonded_record.h"
#include "models/bonded/components.h"
#include "models/bonded/element_stress/element_stress.h"
#include "models/bonded/network.h"
#include "models/rounding.h"
#include "points/point_hash.h"

#include <math.h>

static const sherd_points *points(const void *state)
{
    const sherd_bonded *b = state;
    return &b->elements->points;
}

static void set_loads(void *state, const sherd_point_advance *advance)
{
    sherd_bonded *b = state;
    sherd_bonds_apply(b->bonds, b->blocks, b->elements, &b->parallel, b->kernel, advance);
}

// ---------------------------------------------------------------- energies

static double stored_energy(const void *state)
{
    const sherd_bonded *b = state;
    return sherd_bonds_energy(b->bonds, b->elements, &b->parallel);
}

static double damping_power(const void *state)
{
    const sherd_bond_blocks *blocks = ((const sherd_bonded *)state)->blocks;
    double power = 0.0;
    for (int k = 0; k < blocks->count; ++k)
        power += blocks->blocks[k].damping_power;
    return power;
}

static double sum_noise(void *context, size_t begin, size_t end)
{
    const sherd_bonded *b = context;
    double sum = 0.0;
    for (size_t k = begin; k < end; ++k) {
        sherd_bond_constants rest = sherd_bond_stiffness_of(b->bonds, b->elements, (int64_t)k);
        double strain =
            sherd_noise_strain(sherd_element_position(b->elements, b->bonds->i[k]), rest.l0);
        sum += 0.5 * rest.E * strain * strain * M_PI * rest.r0 * rest.r0 * rest.l0;
    }
    return sum;
}

static double noise_energy(const void *state)
{
    enum { CHUNK = 4096 };
    const sherd_bonded *b = state;
    return sherd_parallel_sum(&b->parallel, (size_t)b->bonds->count, CHUNK, sum_noise, (void *)b);
}

// ---------------------------------------------------------------- small motions

static bool is_stiff(const void *state)
{
    const sherd_bonds *bonds = ((const sherd_bonded *)state)->bonds;
    return bonds->count > bonds->broken_count;
}

static sherd_status prepare_stiffness(const void *state, double c, sherd_prepared_operator *product,
                                      sherd_error *error)
{
    const sherd_bonded *b = state;
    sherd_network network = {b->elements, b->bonds, b->adjacency, b->parallel};
    return sherd_network_prepare(&network, c, product, error);
}

static sherd_relaxation_range relaxation(const void *state)
{
    const sherd_bonded *b = state;
    sherd_relaxation_range range = {INFINITY, 0.0};
    for (int64_t k = 0; k < b->bonds->count; ++k) {
        if (b->bonds->broken[k]) continue;
        double beta = sherd_bond_constants_of(b->bonds, b->elements, k).beta;
        range.shortest = fmin(range.shortest, beta);
        range.longest = fmax(range.longest, beta);
    }
    return is_stiff(state) ? range : (sherd_relaxation_range){0};
}

// ---------------------------------------------------------------- stress

static double largest_stress_ratio(const void *state)
{
    return sherd_bonded_largest_stress_ratio(state);
}

static void find_stress_ratios(const void *state, float *ratio)
{
    sherd_bonded_find_stress_ratios(state, ratio);
}

static void find_stresses(const void *state, sherd_stress *stress)
{
    const sherd_bonded *b = state;
    sherd_bonds_find_element_stress(b->bonds, b->elements, &b->parallel, stress);
}

// ---------------------------------------------------------------- state

static void find_components(const void *state, sherd_element_index *first)
{
    const sherd_bonded *b = state;
    sherd_find_components(b->bonds, b->elements->count, first);
}

static uint64_t hash_state(const void *state, uint64_t hash)
{
    const sherd_bonded *b = state;
    hash = sherd_points_hash(&b->elements->points, hash);
    size_t count = (size_t)b->bonds->count;
    hash = sherd_hash_bytes(hash, b->bonds->broken, count);
    if (b->bonds->opening != NULL)
        hash = sherd_hash_bytes(hash, b->bonds->opening, count * sizeof *b->bonds->opening);
    if (b->bonds->damage != NULL)
        hash = sherd_hash_bytes(hash, b->bonds->damage, count * sizeof *b->bonds->damage);
    if (b->bonds->history == NULL) return hash;
    size_t stride = (size_t)b->bonds->history_stride;
    return sherd_hash_bytes(hash, b->bonds->history, count * stride * sizeof *b->bonds->history);
}

static sherd_status save(const void *state, sherd_byte_buffer *out, sherd_error *error)
{
    return sherd_bonded_save(state, out, error);
}

static sherd_status restore(void *state, sherd_record_reader *in, sherd_error *error)
{
    return sherd_bonded_restore(state, in, error);
}

const sherd_model sherd_model_bonded = {
    .points = points,
    .set_loads = set_loads,
    .stored_energy = stored_energy,
    .damping_power = damping_power,
    .noise_energy = noise_energy,
    .is_stiff = is_stiff,
    .relaxation = relaxation,
    .prepare_stiffness = prepare_stiffness,
    .largest_stress_ratio = largest_stress_ratio,
    .find_stress_ratios = find_stress_ratios,
    .find_stresses = find_stresses,
    .find_components = find_components,
    .hash = hash_state,
    .save = save,
    .restore = restore,
};
