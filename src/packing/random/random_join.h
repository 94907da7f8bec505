// Parts of a random packing that are connected through the shape, but not by near balls.
//
// A neck that is narrower than the elements holds none of them, a ball may come to rest in a pocket.
// The solid around a part is explored from it: places on a fine grid, each linked to the one before
// by a line that stays in the shape, until one is reached that belongs to an element of another part.
#pragma once

#include "packing/random/random_state.h"

// Whether the straight line from p to q stays inside the shape, but for `tolerance` [m]; it is sampled
// every `step` [m] at least.
bool sherd_rcp_is_passage(const sherd_shape *shape, sherd_vec3 p, sherd_vec3 q, double step,
                          double tolerance);

typedef struct sherd_rcp_link {
    bool found;
    uint32_t from, to; // balls
} sherd_rcp_link;

// Two balls, one of `part` and one that is not, with the shortest known way between them through the
// shape; not found when the part has a piece of the shape to itself. part_of gives the part of each ball;
// those of SHERD_RCP_NO_PART are no aim. rcp->deep is of where the balls are. False when memory is
// short.
#define SHERD_RCP_NO_PART UINT32_MAX
bool sherd_rcp_find_link(const sherd_rcp *rcp, const uint32_t *part_of, uint32_t part,
                         sherd_rcp_link *link);
