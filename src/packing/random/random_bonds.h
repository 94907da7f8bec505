// Bonds of a random packing.
#pragma once

#include "packing/random/random_state.h"

// Bonds elements whose centres are within `range` times the sum of their radii (delta_0 of [RBDEM]
// 4.1), with solid between them, from the pairs of rcp->list; and links isolated parts by their
// shortest gaps, so that every connected piece of the shape is one part. order[k] is the ball that
// becomes element k. A few elements that are far from the others, behind necks without elements,
// are removed instead: `left_out` is their number, and unless it is 0 nothing is bonded yet.
// Returns false if memory runs short.
bool sherd_rcp_bond(sherd_rcp *rcp, double range, const uint32_t *order, sherd_packing *packing,
                    size_t *left_out);
