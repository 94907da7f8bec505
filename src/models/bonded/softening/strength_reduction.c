// A bond that would store more energy at its strength than its fracture energy gets a lower
// strength, at which both are equal:
//   sigma = sqrt(2 E G_f / l0)
#include "base/error.h"
#include "models/bonded/storage/bonds.h"

#include <math.h>

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
