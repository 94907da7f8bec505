// The scale of a world's energies.
#pragma once

#include <sherd/energy.h>

// The largest single energy of those stored, dissipated and done as work [J].
double sherd_energy_largest(const sherd_energy *energy);
