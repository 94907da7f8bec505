// From slightly overlapping balls to elements that just touch, with bonds and statistics.
#pragma once

#include "packing/random/random_state.h"

// Frees everything except the balls: data that is invalid when their number changes.
void sherd_rcp_forget(sherd_rcp *rcp);

// Sets the scale to the largest one without overlaps between balls or with the surface, near the
// present one and at most 1 unless it is larger already. Returns false if memory runs short.
bool sherd_rcp_release(sherd_rcp *rcp);

// The packing, in Morton order, with bonds and statistics; `range` is delta_0. NULL if memory runs
// short.
sherd_packing *sherd_rcp_finish(sherd_rcp *rcp, const sherd_packing_def *def, double shape_volume);
