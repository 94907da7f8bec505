// Which bonds of blocks break, where no pass over bonds found them (bond_blocks.h has what passes find).
#pragma once

#include "models/bonded/storage/bond_blocks.h"

// Counts bonds that `bonds` has as broken and the block as intact among those that the last pass found broken, for
// sherd_bond_block_strike.
void sherd_bond_block_mark_broken(const sherd_bond_blocks *blocks, sherd_bond_block *block,
                                  const sherd_bonds *bonds);
