// Breaks bonds that no pass over bonds found (for those that passes find see bond_blocks.h).
#pragma once

#include "models/bonded/storage/bond_blocks.h"

// Adds bonds that are broken in `bonds` but intact in the block to those that the last pass found
// broken, for sherd_bond_block_strike.
void sherd_bond_block_mark_broken(const sherd_bond_blocks *blocks, sherd_bond_block *block,
                                  const sherd_bonds *bonds);
