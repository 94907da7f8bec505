// From balls that press on each other to elements that just touch, their bonds and figures.
#pragma once

#include "packing/random/random_state.h"

// Frees all but the balls themselves: data that is invalid when their number changes.
void sherd_rcp_forget(sherd_rcp *rcp);

// Makes the scale the largest without overlaps of balls and with the surface, near to the present one and not
// above 1 unless it is. False when memory is short.
bool sherd_rcp_release(sherd_rcp *rcp);

// The packing, in Morton order, with bonds and figures; `range` is delta_0. NULL when memory is
// short.
sherd_packing *sherd_rcp_finish(sherd_rcp *rcp, const sherd_packing_def *def, double shape_volume);
