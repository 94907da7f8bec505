// What frames tell of a bond, in a fraction of the time of its whole analysis (bonds.h).
#pragma once

#include "models/bonded/storage/bonds.h"

// Energies are summed by chunks of so many bonds (base/parallel.h).
enum { SHERD_BOND_SUM_CHUNK = 4096 };

typedef struct sherd_bond_measures {
    double stored;       // elastic energy, 0 if it is broken [J]
    double noise;        // energy due to the rounding of positions (models/rounding.h) [J]
    double stress_ratio; // that of sherd_bond_analyse, 0 if it is broken
} sherd_bond_measures;

sherd_bond_measures sherd_bond_measure(const sherd_bonds *bonds, const sherd_elements *elements,
                                       int64_t bond);
