// Parts of a random packing that are connected through the shape, but not by near balls.
//
// A neck that is narrower than the elements contains none of them, and a ball may be isolated in a
// pocket. The solid around a part is searched from it: points on a fine grid, each linked to the
// previous one by a segment inside the shape, until one is reached that belongs to an element of
// another part.
#pragma once

#include "packing/random/random_state.h"

// Whether the segment from p to q is inside the shape, up to `tolerance` [m]; it is sampled at
// least every `step` [m].
bool sherd_rcp_is_passage(const sherd_shape *shape, sherd_vec3 p, sherd_vec3 q, double step,
                          double tolerance);

typedef struct sherd_rcp_link {
    bool found;
    uint32_t from, to; // balls
} sherd_rcp_link;

// Two balls, one of `part` and one of another part, with the shortest known path between them
// through the shape; not found if the part is alone in a piece of the shape. part_of gives the part
// of each ball; those of SHERD_RCP_NO_PART are ignored. rcp->deep must be that of the present
// positions. Returns false if memory runs short.
#define SHERD_RCP_NO_PART UINT32_MAX
bool sherd_rcp_find_link(const sherd_rcp *rcp, const uint32_t *part_of, uint32_t part,
                         sherd_rcp_link *link);
