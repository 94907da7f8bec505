#include "models/bonded/tangent/tangent_check.h"

#include "base/error.h"

#include <math.h>

static double count_lost(void *context, size_t begin, size_t end)
{
    const sherd_elements *e = context;
    double lost = 0.0;
    for (size_t k = begin; k < end; ++k)
        lost += isfinite(e->px[k] + e->py[k] + e->pz[k]) ? 0.0 : 1.0;
    return lost;
}

static sherd_status check_elements(const sherd_elements *e, const sherd_parallel *parallel,
                                   sherd_error *error)
{
    size_t count = (size_t)e->count, k = 0;
    double lost = sherd_parallel_sum(parallel, count, 4096, count_lost, (void *)e);
    if (lost == 0.0) return SHERD_OK;
    while (isfinite(e->px[k] + e->py[k] + e->pz[k]))
        ++k;
    return sherd_fail(error, SHERD_ERROR_UNSTABLE, "sherd_tangent_parts.elements", NULL,
                      "the position of element %d is (%g, %g, %g)",
                      sherd_element_number(e, (sherd_element_index)k), e->px[k], e->py[k],
                      e->pz[k]);
}

static sherd_status check_laws(const sherd_bonds *bonds, sherd_error *error)
{
    for (int m = 0; m < bonds->material_count; ++m) {
        const sherd_bond_law_info *law = sherd_bond_law_describe(bonds->materials[m].law);
        if (law == NULL || !law->has_energy)
            return sherd_fail(error, SHERD_ERROR_INPUT, "sherd_tangent_parts.bonds",
                              "step explicitly", "bonds of law %s have no stiffness",
                              law != NULL ? law->word : "none");
    }
    return SHERD_OK;
}

sherd_status sherd_tangent_check(const sherd_tangent_parts *parts, const sherd_parallel *parallel,
                                 sherd_error *error)
{
    if (parts->blocks->precision != SHERD_PRECISION_MIXED)
        return sherd_fail(error, SHERD_ERROR_INPUT, "sherd_tangent_parts.blocks", NULL,
                          "must be arranged in mixed precision");
    sherd_status status = check_laws(parts->bonds, error);
    return status == SHERD_OK ? check_elements(parts->elements, parallel, error) : status;
}
