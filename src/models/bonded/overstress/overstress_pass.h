// Damage of bonds by overstress in explicit steps (laws/breakage/overstress.h).
#pragma once

#include "models/bonded/storage/bond_blocks.h"

// Its material has a rate_time.
bool sherd_bond_takes_time(const sherd_bonds *bonds, int64_t bond);

// After a pass at the end of a step of dt: damage of the bonds that it found over their strength grows, and those that
// do not break yet are taken out of those that it found broken.
void sherd_overstress_advance(sherd_bond_blocks *blocks, sherd_bonds *bonds,
                              const sherd_elements *elements, const sherd_parallel *parallel,
                              double dt);
