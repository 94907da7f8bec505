// Which balls of a random packing are near which: cells, then a list that holds while they move
// little.
#pragma once

#include "packing/random/random_state.h"

// Makes the list anew for the present balls and scale, with this skin [m]. False when memory is
// short.
bool sherd_rcp_list_make(sherd_rcp *rcp, double skin);
void sherd_rcp_list_free(sherd_rcp_list *list);

// Whether pairs may touch that are not listed, when no ball has moved more than `moved` [m].
bool sherd_rcp_list_is_old(const sherd_rcp *rcp, double moved);
