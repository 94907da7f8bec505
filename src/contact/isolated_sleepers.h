// Sleeping bodies that are far from everything are left out of the search for pairs.
//
// A sleeper is isolated if a sphere around it is farther than any margin from the spheres of all
// other sleepers and from boxes around all other elements. Until it has moved by that distance
// (half of it if the other may move as far) nothing can be near, so its elements need no search.
// Their margins are infinite, which leaves them out.
#pragma once

#include "contact/contact_system.h"

// Sets sleeper->isolation and the margins of isolated sleepers. Positions of all elements must be
// up to date, and margins have been renewed.
sherd_status sherd_isolate(sherd_contacts *contacts, const sherd_points *points,
                           sherd_error *error);
