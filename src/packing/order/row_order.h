// Numbering of elements for locality and vectorisation.
#pragma once

#include "packing/lattice/lattice.h"

#include <stdint.h>

// Sets order[k] to the index of the k-th centre, so that neighbours of consecutive elements are
// consecutive as well (models/bonded/storage/bond_blocks.h) and runs of elements are compact. Of
// these orders, it chooses the one with the most touching pairs in runs (vector_runs.h):
//
//      rows of the lattice    always if all centres are exactly on it
//      curved rows            where elements were relaxed onto a surface, or grown along one
//      the Morton order       where there are hardly any rows, and for cubic lattices with random
//                             displacements: grains without bonds
//
// Returns false if memory runs short.
bool sherd_row_order(const sherd_lattice *lattice, const sherd_centres *centres, int threads,
                     uint32_t *order);
