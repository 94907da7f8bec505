// The pass over all softening bonds in implicit steps. It follows the pass over blocks and adds to
// the loads of elements.
#pragma once

#include "models/bonded/storage/bond_blocks.h"

// Computes loads at the present state; openings are not changed.
sherd_softening_sum sherd_softening_evaluate(const sherd_bond_blocks *blocks,
                                             const sherd_bonds *bonds, sherd_elements *elements,
                                             const sherd_parallel *parallel);

// Whether bond `k` of the list is fully open.
static inline bool sherd_softening_is_open(const sherd_softening_list *list,
                                           const sherd_bonds *bonds, int32_t k)
{
    return (double)bonds->opening[list->bonds[k].bond] >= list->bonds[k].critical;
}
