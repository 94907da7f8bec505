// Removes balls of a random packing where there are too many.
#pragma once

#include "packing/random/random_state.h"

// The largest overlap of a ball with another or with the surface [its radii]. False when memory is short.
bool sherd_rcp_largest_overlap(sherd_rcp *rcp, double *overlap);

// Removes up to `count` balls, those with the largest sum of overlaps, no two of them neighbours;
// only balls with an overlap of more than `least` [radii]. Returns their number in *taken. All data
// except the balls must be rebuilt then: lists, work arrays. Returns false if memory runs short.
bool sherd_rcp_thin(sherd_rcp *rcp, size_t count, double least, size_t *taken);
