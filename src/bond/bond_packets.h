// Builds one block's halo, groups, packets and loose bonds.
#pragma once

#include "bond/bond_blocks.h"

// The block's bonds are [begin, end), sorted by kind, i, j; class_of is per bond, `width`
// is how many lanes a group has. Fills the block
// and, for each of its new places, order[place - begin] with the bond that goes there. All bonds
// count as intact. False when memory is short.
bool sherd_bond_block_build(sherd_bond_block *block, const sherd_bonds *bonds, int64_t begin,
                            int64_t end, const uint16_t *class_of, const sherd_bond_class *classes,
                            int width, uint32_t *order);
