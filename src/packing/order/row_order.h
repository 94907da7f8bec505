// The order in which elements are numbered.
#pragma once

#include "packing/lattice/lattice.h"

#include <stdint.h>

// Fills order[k] with the index of the k-th centre, so that neighbours of consecutive elements are
// consecutive as well (models/bonded/storage/bond_blocks.h) and runs of elements compact. Of these, in which most
// touching pairs lie in runs (run_share.h):
//
//      rows of the lattice    always where all centres stand on it exactly
//      rows as they bend      where elements were relaxed onto a surface, or grown along one
//      the Morton order       where there are hardly any rows, and of shaken cubic lattices: grains
//                             without bonds
//
// False when memory is short.
bool sherd_row_order(const sherd_lattice *lattice, const sherd_centres *centres, int threads,
                     uint32_t *order);
