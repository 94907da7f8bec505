// A subset of a system's elements as a system of its own: with their bonds, contacts, drivers and
// sleepers.
#pragma once

#include "contact/contact_part.h"
#include "stepping/system.h"

// Creates the part, which must not move in memory. It depends on the members and on the whole's
// definitions, not on its state.
sherd_status sherd_system_make_part(sherd_system *part, const sherd_system *whole,
                                    const sherd_contact_members *members, sherd_error *error);

// Copies the state into the part. Before the call the whole's velocities must be current, the
// positions of its sleeping bodies written to the arrays, and their closed-form motion restarted at
// the present time.
sherd_status sherd_system_fetch(sherd_system *part, const sherd_system *whole,
                                const sherd_contact_members *members, sherd_error *error);

// Moves dissipated energies and work to the whole.
void sherd_system_move_accounts(sherd_system *part, sherd_system *whole);

// Returns results to the whole: the elements' state, broken bonds, dissipated energies and work.
sherd_status sherd_system_show_part(sherd_system *part, sherd_system *whole,
                                    const sherd_element_index *member, sherd_error *error);
