// Stores a block's loose bonds in slices.
//
//      group     a   b   c   d  ...       elements with about as many loose bonds each
//      slot 0   a-k b-m c-n d-p           bond by bond: the section's numbers of all lanes,
//      slot 1   a-l b-n  -  d-q           then the next number of all lanes, ...
//      slot 2   a-m  -   -  d-r
//
// Bonds from consecutive elements along a row (bond_rows.h) to consecutive elements form a slot of
// a row group if there are enough of them:
//
//      group    i   i+1 i+2 i+3 ...
//      slot     j   j+1  -  j+3
#pragma once

#include "models/bonded/storage/bond_blocks.h"

// Replaces the slices of a block. Slots are assigned to the loose bonds with unlisted[bond] == 0
// or, with NULL, to those that are intact; they depend on that alone. Returns false, and changes
// nothing, if memory runs short.
bool sherd_bond_slices_build(sherd_bond_block *block, const sherd_bonds *bonds,
                             const sherd_elements *elements, sherd_precision precision,
                             const uint8_t *unlisted);

void sherd_bond_slices_free(sherd_bond_slices *slices);
size_t sherd_bond_slices_bytes(const sherd_bond_slices *slices, sherd_precision precision);
