// One bond at rest: what it bears without damping.
#pragma once

#include "models/bonded/storage/bonds.h"

// sherd_bond_analyse as if its elements did not move.
sherd_bond_analysis sherd_bond_analyse_still(const sherd_bonds *bonds,
                                             const sherd_elements *elements, int64_t bond);

// Plastic elongation over length that all flow of a bond amounts to; 0 unless it yields.
double sherd_bond_plastic_strain(const sherd_bonds *bonds, int64_t bond);
