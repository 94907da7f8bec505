// From balls that press on each other to elements that just touch, their bonds and figures.
#pragma once

#include "packing/random_state.h"

// Takes out balls that overlap with the surface by more than a share `most` of their radius: where
// the shape is too thin for them. Gives how many. What depends on numbers must be made anew.
size_t sherd_rcp_drop_squeezed(sherd_rcp *rcp, double most);

// Reduces the scale until no ball overlaps with another or with the surface. False when memory is
// short.
bool sherd_rcp_release(sherd_rcp *rcp);

// The packing, in Morton order, with bonds and figures; `range` is delta_0. NULL when memory is
// short.
sherd_packing *sherd_rcp_finish(sherd_rcp *rcp, const sherd_packing_def *def, double shape_volume);
