// Damage of bonds by overstress, in explicit steps (laws/breakage/overstress.h).
#pragma once

#include "models/bonded/storage/bond_blocks.h"

// Whether the bond's material has a rate_time, so that it breaks only after some time.
bool sherd_bond_takes_time(const sherd_bonds *bonds, int64_t bond);

// Call after the pass at the end of a step of length dt. Damage of the bonds which the pass found
// over their strength grows; those which do not break yet are removed from the pass's list of
// broken bonds.
void sherd_overstress_advance(sherd_bond_blocks *blocks, sherd_bonds *bonds,
                              const sherd_elements *elements, const sherd_parallel *parallel,
                              double dt);
