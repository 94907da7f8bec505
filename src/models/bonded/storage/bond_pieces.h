// Pieces of a block: what its intact bonds join. Where there are several, each is computed in a frame of its own
// (kernels/bond_local.h), as they turn against each other: bodies that share a block, fragments of one that broke.
#pragma once

#include "models/bonded/storage/bond_blocks.h"

// Finds a block's pieces, from which bonds are broken alone. False: memory is short, and pieces stay as they were or are
// one, which is as right, if less exact.
bool sherd_bond_block_find_pieces(sherd_bond_block *block, const sherd_bonds *bonds);

// Of all blocks, once they are arranged.
bool sherd_bond_blocks_find_pieces(sherd_bond_blocks *blocks, const sherd_bonds *bonds);

// Whether the ends of a bond that broke hang together by three intact bonds of the block at most. If so, it parted no
// piece; if not, it may have.
bool sherd_bond_ends_joined(const sherd_bond_block *block, const sherd_bonds *bonds,
                            const sherd_adjacency *adjacency, int64_t bond);
