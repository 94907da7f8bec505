// From balls anywhere to balls that are jammed at the requested radius, or nearly.
#pragma once

#include "packing/random/random_relax.h"

// Largest relative difference of radii from the requested ones.
static const double SHERD_RCP_CLOSE = 0.02;

typedef enum sherd_rcp_outcome {
    SHERD_RCP_GOOD = 0,
    SHERD_RCP_TOO_FEW, // they would have to be larger, by rcp->scale
    SHERD_RCP_LOOSE,   // too few, and the shape is no thicker than they are
    SHERD_RCP_NO_MEMORY,
} sherd_rcp_outcome;

// Moves balls until they are jammed, and takes out those that there is no room for: where too many
// are taken for too few, with `is_last` as well, radii are SHERD_RCP_CLOSE of those asked for at least;
// of fewer than 20 balls, within the size of one. None may be left.
sherd_rcp_outcome sherd_rcp_jam(sherd_rcp *rcp, bool is_last);
