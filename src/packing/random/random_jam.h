// Jamming: moves balls from arbitrary positions to a jammed packing at about the requested radius.
#pragma once

#include "packing/random/random_relax.h"

// Largest relative difference of radii from the requested ones.
static const double SHERD_RCP_CLOSE = 0.02;

typedef enum sherd_rcp_outcome {
    SHERD_RCP_GOOD = 0,
    SHERD_RCP_TOO_FEW, // radii would have to be larger, by rcp->scale
    SHERD_RCP_LOOSE,   // too few, and the shape is no thicker than a ball
    SHERD_RCP_NO_MEMORY,
} sherd_rcp_outcome;

// Moves balls until they are jammed, and removes those that have no room. If too many are removed,
// the result is TOO_FEW; with `is_last` as well. Radii are within SHERD_RCP_CLOSE of the requested
// ones; with fewer than 20 balls, within the size of one ball. Possibly none are left.
sherd_rcp_outcome sherd_rcp_jam(sherd_rcp *rcp, bool is_last);
