// A pass over all bonds that are softening, after that of blocks in implicit steps: loads come to those that elements
// have.
#pragma once

#include "models/bonded/storage/bond_blocks.h"

// Whatever state elements are in: openings stay.
sherd_softening_sum sherd_softening_evaluate(const sherd_bond_blocks *blocks,
                                             const sherd_bonds *bonds, sherd_elements *elements,
                                             const sherd_parallel *parallel);

// Whether bond `k` of the list is open as far as it can be.
static inline bool sherd_softening_is_parted(const sherd_softening_list *list,
                                             const sherd_bonds *bonds, int32_t k)
{
    return (double)bonds->opening[list->bonds[k].bond] >= list->bonds[k].critical;
}
