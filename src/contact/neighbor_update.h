// Few elements that are beyond their margins are listed anew without all others: mostly one or two fast
// splinters are what a list goes out of date for.
//
// They, those that have used most of their margins, and the elements of sleepers that may be beyond theirs get
// new ones where they are (verlet_skin.h), and the pairs they have there join the list. Pairs that they had before
// stay until everything is listed anew.
#pragma once

#include "contact/contact_system.h"

// Whether the list has such pairs and is old: everything is to be listed anew.
bool sherd_contacts_list_is_old(const sherd_contacts *contacts);

// Once an element or a sleeper was found beyond its margin. `*done` is false where everything has to be listed
// anew instead.
sherd_status sherd_contacts_renew_few(sherd_contacts *contacts, const sherd_elements *elements,
                                      const sherd_bond_adjacency *bonds, bool *done,
                                      sherd_error *error);
