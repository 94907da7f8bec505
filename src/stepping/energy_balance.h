// The energy balance of a system as one number.
#pragma once

#include "stepping/system.h"

// Stored energy (`elastic` is that of bonds) plus dissipated energy minus work: constant except for
// integration errors [J].
double sherd_system_closed_total(sherd_system *system, double elastic);
