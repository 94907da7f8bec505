// Builds the halo, groups and packets of one block, and finds which of its bonds are loose.
#pragma once

#include "models/bonded/storage/bond_blocks.h"

// The block's bonds are [begin, end), sorted by i, j, and classified; `width` is the number of
// lanes of a group. Permutes the bonds into the traversal order of kernels. All are treated as
// intact. Returns false if memory runs short.
bool sherd_bond_block_build(sherd_bond_block *block, sherd_bonds *bonds, int64_t begin, int64_t end,
                            int width);
