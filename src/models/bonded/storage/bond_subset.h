// The subset of bonds among some of a world's elements.
#pragma once

#include "models/bonded/storage/adjacency.h"
#include "models/bonded/storage/bonds.h"

// Copies the bonds whose ends are both among the `count` elements `member` (ascending), broken ones
// included, with elements renumbered in the order of `member`; `local` gives, by element of the
// whole, its index there or -1. All copies are marked intact, so that their arrangement
// (sherd_bonds_arrange) depends on the members only. part->whole is the bond of the whole for each
// copy.
sherd_status sherd_bonds_extract_part(sherd_bonds *part, const sherd_bonds *whole,
                                      const sherd_adjacency *adjacency,
                                      const sherd_element_index *member, sherd_element_index count,
                                      const sherd_element_index *local, sherd_error *error);

// Copies broken marks and histories from the whole to the part, and back.
void sherd_bonds_fetch_state(sherd_bonds *part, const sherd_bonds *whole);
void sherd_bonds_return_state(const sherd_bonds *part, sherd_bonds *whole);
