// Which elements of a random packing are bonded.
#pragma once

#include "packing/random/random_state.h"

// Bonds elements whose centres are within `range` times the sum of their radii (delta_0 of [RBDEM]
// 4.1) and between which the shape is solid, listed by rcp->list; and what would be left over by its
// shortest gap to the rest, so that every piece of the shape is one part. order[k] is the ball that
// becomes element k. Few that lie far from the rest, behind necks that hold no element, are taken
// out instead: `left_out` says how many, and unless that is 0 nothing is bonded yet. False when memory is
// short.
bool sherd_rcp_bond(sherd_rcp *rcp, double range, const uint32_t *order, sherd_packing *packing,
                    size_t *left_out);
