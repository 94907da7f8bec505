// The order in which elements are numbered.
#pragma once

#include "packing/lattice.h"

#include <stdint.h>

// Fills order[k] with the index of the k-th centre. Centres that stand on the lattice, or near it where
// they were relaxed, come along its rows, so that neighbours of consecutive elements are consecutive
// (bond/bond_blocks.h); rows are cut into pieces and pieces side by side come one after another, so
// that runs of elements are compact. Where few centres stand in rows it is the Morton order. False
// when memory is short.
bool sherd_row_order(const sherd_lattice *lattice, const sherd_centres *centres, uint32_t *order);
