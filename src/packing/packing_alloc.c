#include "packing/packing_alloc.h"

#include "base/assertion.h"
#include "base/memory.h"

bool sherd_packing_alloc(sherd_packing *packing, size_t n, bool volumes)
{
    SHERD_ASSERT(n <= INT32_MAX, "elements can be counted");
    packing->count = (int32_t)n;
    packing->x = sherd_alloc(n, sizeof *packing->x);
    packing->y = sherd_alloc(n, sizeof *packing->y);
    packing->z = sherd_alloc(n, sizeof *packing->z);
    packing->radius = sherd_alloc(n, sizeof *packing->radius);
    if (volumes) packing->volume = sherd_alloc(n, sizeof *packing->volume);
    return packing->x != NULL && packing->y != NULL && packing->z != NULL &&
           packing->radius != NULL && (!volumes || packing->volume != NULL);
}

bool sherd_packing_alloc_bonds(sherd_packing *packing, size_t m)
{
    packing->bond_i = sherd_alloc(m, sizeof *packing->bond_i);
    packing->bond_j = sherd_alloc(m, sizeof *packing->bond_j);
    return packing->bond_i != NULL && packing->bond_j != NULL;
}
