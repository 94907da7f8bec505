// Forces, moments and energies of all bonds, for tables (sherd/loads.h).
#pragma once

#include "models/bonded/bonded.h"

#include <sherd/loads.h>

// The load of one bond, without damping. stress_ratio is that of the bond's own stress alone.
sherd_bond_load sherd_bond_load_of(const sherd_bonds *bonds, const sherd_elements *elements,
                                   int64_t bond);

// The loads of all bonds, in the order of bonds.
void sherd_bonded_find_loads(const sherd_bonded *bonded, sherd_bond_load *loads);
