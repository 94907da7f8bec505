// Neighbour lists of a random packing, which remain valid while balls move less than a skin (Verlet
// lists).
#pragma once

#include "packing/random/random_state.h"

// Rebuilds the list for the present balls and scale, with this skin [m]. Returns false if memory
// runs short.
bool sherd_rcp_list_make(sherd_rcp *rcp, double skin);
void sherd_rcp_list_free(sherd_rcp_list *list);

// Whether unlisted pairs may touch, if no ball has moved more than `moved` [m].
bool sherd_rcp_list_is_old(const sherd_rcp *rcp, double moved);
