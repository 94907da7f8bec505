// Some of a system's elements as a system of their own: with their bonds, contacts, drivers and sleepers.
#pragma once

#include "contact/contact_part.h"
#include "stepping/system.h"

// Makes the part, which must stay where it is in memory. It depends on the members and on the whole's definitions, not
// on its state.
sherd_status sherd_system_make_part(sherd_system *part, const sherd_system *whole,
                                    const sherd_contact_members *members, sherd_error *error);

// Takes over the state. The whole's velocities are up to date, its sleepers are placed and count from now.
sherd_status sherd_system_fetch(sherd_system *part, const sherd_system *whole,
                                const sherd_contact_members *members, sherd_error *error);

// Energies that left or entered go to the whole.
void sherd_system_move_accounts(sherd_system *part, sherd_system *whole);

// Returns results to the whole: the elements' state, broken bonds, and energies that left or entered.
sherd_status sherd_system_show_part(sherd_system *part, sherd_system *whole,
                                    const sherd_element_index *member, sherd_error *error);
