// Updates the list of pairs for the few elements that are beyond their margins, without a full
// search: in most cases only one or two fast splinters invalidate the list. Isolated sleepers are
// left out of full searches.
//
// These elements, those that have used most of their margins, and the elements of sleepers that may
// be beyond theirs get new margins at their present positions (verlet_skin.h), and their pairs
// there are added to the list. Pairs at outdated positions stay until the next full search.
#pragma once

#include "contact/contact_system.h"

// True if the list contains outdated pairs and is old, so that a full search pays.
bool sherd_contacts_list_is_old(const sherd_contacts *contacts);

// Call after an element or a sleeper was found beyond its margin. `*done` is false if a full search
// is necessary instead.
sherd_status sherd_contacts_renew_few(sherd_contacts *contacts, const sherd_points *points,
                                      const sherd_bond_adjacency *bonds, bool *done,
                                      sherd_error *error);

// Sleeping bodies that are far from everything are left out of the search for pairs.
//
// A sleeper is isolated if a sphere around it is farther than any margin from the spheres of all
// other sleepers and from boxes around all other elements. Until it has moved by that distance
// (half of it if the other may move as far) nothing can be near, so its elements need no search.
// Their margins are infinite, which leaves them out.
//
// Sets sleeper->isolation and the margins of isolated sleepers. Positions of all elements must be
// up to date, and margins have been renewed.
sherd_status sherd_isolate(sherd_contacts *contacts, const sherd_points *points,
                           sherd_error *error);
