// Which elements of a random packing are bonded.
#pragma once

#include "packing/random_state.h"

// Bonds elements whose centres are within `range` times the sum of their radii (delta_0 of [RBDEM]
// 4.1), listed by rcp->list, and what would be left over by its shortest gap to the rest. order[k] is
// the ball that becomes element k. False when memory is short.
bool sherd_rcp_bond(sherd_rcp *rcp, double range, const uint32_t *order, sherd_packing *packing);
