// Bodies that are asleep and far from everything: left out of the search for pairs.
//
// A sleeper is isolated when a sphere about it is far from every other sleeper's and from boxes
// around all other elements, by more than any margin. Until it has moved that distance (half of it
// where the other may move as far) nothing can be near it, so its elements need no search and no
// margins: they get an infinite one, which leaves them out.
#pragma once

#include "contact/contact_system.h"

// Finds sleeper->isolation and sets the margins of isolated ones. Positions of all elements are up to date, and margins
// have been renewed.
sherd_status sherd_isolate(sherd_contacts *contacts, const sherd_points *points,
                           sherd_error *error);
