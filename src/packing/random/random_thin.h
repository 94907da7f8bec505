// Taking balls out of a random packing where it holds too many.
#pragma once

#include "packing/random/random_state.h"

// The largest overlap of a ball with another or with the surface [its radii]. False when memory is short.
bool sherd_rcp_largest_overlap(sherd_rcp *rcp, double *overlap);

// Takes out up to `count` balls, those that are pressed most by others and by the surface, no two of
// them neighbours; only balls with an overlap of more than `least` [radii]. Gives how many. Everything
// but the balls must be made anew then: lists, room for velocities. False when memory is short.
bool sherd_rcp_thin(sherd_rcp *rcp, size_t count, double least, size_t *taken);
