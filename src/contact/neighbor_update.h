// A few elements that are beyond their margins are listed again without all others: lists mostly expire because of one
// or two fast splinters.
//
// They, those that have used most of their margins, and the elements of sleepers that may be beyond theirs get
// new ones at their present positions (verlet_skin.h), and their pairs there are added to the list. Former pairs
// stay until everything is listed again.
#pragma once

#include "contact/contact_system.h"

// Whether the list has such pairs and is old, so that everything should be listed again.
bool sherd_contacts_list_is_old(const sherd_contacts *contacts);

// After an element or a sleeper was found beyond its margin. `*done` is false where everything has to be listed
// anew instead.
sherd_status sherd_contacts_renew_few(sherd_contacts *contacts, const sherd_points *points,
                                      const sherd_bond_adjacency *bonds, bool *done,
                                      sherd_error *error);
