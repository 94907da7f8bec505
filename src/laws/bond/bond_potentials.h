// The energy of a bond of any law from its frame and load: its potential, or for laws without a
// potential the separately defined energy bond_own_potential_NAME.
#pragma once

#include "laws/bond/bond_laws.h"

#define BOND_POTENTIAL_OF_ENERGY(law) bond_potential_##law(s, f, load)
#define BOND_POTENTIAL_OF_CENTRAL(law) bond_potential_##law(s, f, load)
#define BOND_POTENTIAL_OF_FORCES(law) bond_energy_##law(s)
#define BOND_OWN_POTENTIAL(NAME, law, doc, ability, history)                                       \
    LANE_INLINE lane bond_own_potential_##law(const bond_state *s, const bond_frame *f,            \
                                              const bond_load *load)                               \
    {                                                                                              \
        (void)f, (void)load;                                                                       \
        return BOND_POTENTIAL_OF_##ability(law);                                                   \
    }
SHERD_ALL_BOND_LAWS(BOND_OWN_POTENTIAL)
