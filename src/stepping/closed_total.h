// The energy account of a system as one number: what is in it and what has left it.
#pragma once

#include "stepping/system.h"

// Stores, of which `elastic` is in bonds, plus what was dissipated minus work: constant except for what integration
// takes [J].
double sherd_system_closed_total(sherd_system *system, double elastic);
