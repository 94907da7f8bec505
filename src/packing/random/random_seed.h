// Where the elements of a random packing start: anywhere, but evenly.
//
// Points drawn one by one gather here and leave gaps there, over many distances; a jammed packing
// can't even that out. So space is cut into cubes, turned anyhow, of the volume that one element
// takes, with a point anywhere in each: nothing of the cubes is left to see, and no region has more
// than its share.
#pragma once

#include "packing/random/random_state.h"

// Fills count, ball, with radii. Sites where the shape is too thin for their element are left out;
// `cell` is the volume for each [m^3]. `shallow` is the share of sites that are less than `skin` below
// the surface. Status INPUT beyond max_elements.
sherd_status sherd_rcp_seed(sherd_rcp *rcp, const sherd_packing_def *def, double cell, double skin,
                            double *shallow, sherd_error *error);
