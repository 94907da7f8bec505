// Builds one block's halo, groups and packets, and says which of its bonds are loose.
#pragma once

#include "models/bonded/storage/bond_blocks.h"

// The block's bonds are [begin, end), sorted by i, j, with their classes known; `width` is how many
// lanes a group has. Brings them into the order that kernels walk them in. All count as intact. False
// when memory is short.
bool sherd_bond_block_build(sherd_bond_block *block, sherd_bonds *bonds, int64_t begin, int64_t end,
                            int width);
