// Factors on the strength and stiffness of bonds, by design. A factor of 0 breaks the bond from the
// start, as a pre-crack: the bond stays listed, because pictures show cracks where bonds are
// broken.
#include "base/error.h"
#include "base/memory.h"
#include "models/bonded/storage/bonds.h"

#include <float.h>
#include <math.h>

enum { CHUNK = 1024 };

typedef struct factors {
    float strength, stiffness;
} factors;

typedef struct scaling {
    const sherd_bonds *bonds;
    const sherd_elements *elements;
    int64_t first;
    sherd_bond_scale_function *scale;
    const void *context;
    factors *of; // by bond from `first` on
} scaling;

static void scale_chunk(void *context, size_t begin, size_t end)
{
    const scaling *in = context;
    for (size_t k = begin; k < end; ++k) {
        int64_t bond = in->first + (int64_t)k;
        sherd_bond_scale scale =
            in->scale(in->context, sherd_element_rest(in->elements, in->bonds->i[bond]),
                      sherd_element_rest(in->elements, in->bonds->j[bond]));
        in->of[k] = (factors){(float)scale.strength, (float)scale.stiffness};
    }
}

// Checks a factor in single precision: values outside its range are rejected.
static bool is_factor(float value)
{
    return value == 0.0F || (value >= FLT_MIN && value <= FLT_MAX);
}

static sherd_status check_factors(const scaling *in, size_t count, sherd_error *error)
{
    for (size_t k = 0; k < count; ++k)
        if (!is_factor(in->of[k].strength) || !is_factor(in->of[k].stiffness))
            return sherd_fail(
                error, SHERD_ERROR_INPUT, "bond_scale", "factors must be at least 0 and finite",
                "gave strength %g and stiffness %g for the bond of elements %d and %d",
                (double)in->of[k].strength, (double)in->of[k].stiffness,
                in->bonds->i[in->first + (int64_t)k], in->bonds->j[in->first + (int64_t)k]);
    return SHERD_OK;
}

static bool differs(float factor)
{
    return factor != 1.0F && factor != 0.0F;
}

// Columns whose values are all equal are not created.
static bool make_columns(const scaling *in, size_t count, sherd_bonds *bonds)
{
    bool strengths = false, stiffnesses = false;
    for (size_t k = 0; k < count; ++k) {
        strengths = strengths || differs(in->of[k].strength);
        stiffnesses = stiffnesses || differs(in->of[k].stiffness);
    }
    return (!strengths || sherd_bonds_make_column(bonds, &bonds->strength, 1.0F)) &&
           (!stiffnesses || sherd_bonds_make_column(bonds, &bonds->stiffness, 1.0F));
}

static sherd_bond_scaling apply_factors(const scaling *in, size_t count, sherd_bonds *bonds)
{
    sherd_bond_scaling result = sherd_bond_scaling_none();
    for (size_t k = 0; k < count; ++k) {
        int64_t bond = in->first + (int64_t)k;
        factors f = in->of[k];
        if (f.strength == 0.0F || f.stiffness == 0.0F) {
            bonds->broken[bond] = 1;
            ++result.broken;
            continue;
        }
        if (bonds->strength != NULL) bonds->strength[bond] *= f.strength;
        if (bonds->stiffness != NULL) bonds->stiffness[bond] *= f.stiffness;
        result.weakened += f.strength<1.0F, result.strengthened += f.strength> 1.0F;
        result.softened += f.stiffness<1.0F, result.stiffened += f.stiffness> 1.0F;
        result.least_strength = fmin(result.least_strength, (double)f.strength);
        result.largest_strength = fmax(result.largest_strength, (double)f.strength);
        result.least_stiffness = fmin(result.least_stiffness, (double)f.stiffness);
        result.largest_stiffness = fmax(result.largest_stiffness, (double)f.stiffness);
    }
    bonds->broken_count += result.broken;
    return result;
}

sherd_status sherd_bonds_scale(sherd_bonds *bonds, const sherd_elements *elements, int64_t first,
                               sherd_bond_scale_function *scale, const void *context,
                               const sherd_parallel *parallel, sherd_bond_scaling *result,
                               sherd_error *error)
{
    size_t count = (size_t)(bonds->count - first);
    scaling in = {bonds, elements, first, scale, context, sherd_alloc(count, sizeof *in.of)};
    if (in.of == NULL) return sherd_fail_memory(error, "bond factors");
    sherd_parallel_for(parallel, count, CHUNK, scale_chunk, &in);
    sherd_status status = check_factors(&in, count, error);
    if (status == SHERD_OK && !make_columns(&in, count, bonds))
        status = sherd_fail_memory(error, "bond factors");
    if (status == SHERD_OK) *result = apply_factors(&in, count, bonds);
    sherd_free(in.of);
    return status;
}

// A bond that would store more energy at its strength than its fracture energy gets a lower
// strength, at which both are equal:
//   sigma = sqrt(2 E G_f / l0)
//
// A strength is reduced only if the factor is below this, not because of a rounded radius.
static const double ENOUGH = 1.0 - 1e-9;

sherd_status sherd_bonds_reduce_strengths(sherd_bonds *bonds, const sherd_elements *elements,
                                          int64_t first, sherd_strength_reduction *result,
                                          sherd_error *error)
{
    *result = (sherd_strength_reduction){.smallest = 1.0, .radius = INFINITY};
    for (int64_t k = first; k < bonds->count && bonds->opening != NULL; ++k) {
        const sherd_material_def *material = sherd_bond_material(bonds, k);
        sherd_bond_constants constants = sherd_bond_constants_of(bonds, elements, k);
        double ratio = sherd_bond_energy_ratio(material, &constants);
        if (bonds->broken[k] || !(ratio > 0.0 && ratio < ENOUGH)) continue;
        if (!sherd_bonds_make_column(bonds, &bonds->strength, 1.0F))
            return sherd_fail_memory(error, "bonds");
        bonds->strength[k] = (float)((double)bonds->strength[k] * sqrt(ratio));
        ++result->count;
        result->smallest = fmin(result->smallest, sqrt(ratio));
        result->radius = fmin(result->radius, ratio * constants.r0);
    }
    return SHERD_OK;
}
