// Connected pieces of a block: elements joined by its intact bonds. If there are several pieces,
// each is computed in its own frame (kernels/bond_local.h), as they rotate relative to each other:
// bodies that share a block, or fragments.
#pragma once

#include "models/bonded/storage/bond_blocks.h"

// Finds a block's pieces; they depend only on which bonds are broken. If memory runs short, returns
// false, and pieces stay as they were or become one: results remain correct, if less accurate.
bool sherd_bond_block_find_pieces(sherd_bond_block *block, const sherd_bonds *bonds);

// The same for all blocks, once they are arranged.
bool sherd_bond_blocks_find_pieces(sherd_bond_blocks *blocks, const sherd_bonds *bonds);

// Whether the ends of a bond that broke are still connected by at most three intact bonds of the
// block. If so, it divided no piece; if not, it may have.
bool sherd_bond_ends_joined(const sherd_bond_block *block, const sherd_bonds *bonds,
                            const sherd_adjacency *adjacency, int64_t bond);
