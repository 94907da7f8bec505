// Strengths at which bonds store more than they take to part are reduced to those at which they store just that:
//   sigma = sqrt(2 E G_f / l0)
#include "base/error.h"
#include "models/bonded/storage/bonds.h"

#include <math.h>

// Rounding of a radius is no reason.
static const double ENOUGH = 1.0 - 1e-9;

sherd_status sherd_bonds_reduce_strengths(sherd_bonds *bonds, const sherd_elements *elements,
                                          int64_t first, sherd_strength_reduction *result,
                                          sherd_error *error)
{
    *result = (sherd_strength_reduction){.least = 1.0, .radius = INFINITY};
    for (int64_t k = first; k < bonds->count && bonds->opening != NULL; ++k) {
        const sherd_material_def *material = sherd_bond_material(bonds, k);
        sherd_bond_rest rest = sherd_bond_rest_of(bonds, elements, k);
        double share = sherd_bond_energy_share(material, &rest);
        if (bonds->broken[k] || !(share > 0.0 && share < ENOUGH)) continue;
        if (!sherd_bonds_make_column(bonds, &bonds->strength, 1.0F))
            return sherd_fail_memory(error, "bonds");
        bonds->strength[k] = (float)((double)bonds->strength[k] * sqrt(share));
        ++result->count;
        result->least = fmin(result->least, sqrt(share));
        result->radius = fmin(result->radius, share * rest.r0);
    }
    return SHERD_OK;
}
