// The bonds among some of a world's elements, as bonds of their own.
#pragma once

#include "models/bonded/storage/adjacency.h"
#include "models/bonded/storage/bonds.h"

// Takes over the bonds whose ends are both among the `count` elements `member` (ascending), broken ones too,
// numbered as these are; `local` is by element of the whole: its number among them, or -1. Which bonds are
// broken is not taken over, so that their arrangement (sherd_bonds_arrange) depends on the members only.
// part->whole says which bond of the whole each one is.
sherd_status sherd_bonds_take_part(sherd_bonds *part, const sherd_bonds *whole,
                                   const sherd_adjacency *adjacency,
                                   const sherd_element_index *member, sherd_element_index count,
                                   const sherd_element_index *local, sherd_error *error);

// Broken marks and histories, from the whole to the part and back.
void sherd_bonds_fetch_state(sherd_bonds *part, const sherd_bonds *whole);
void sherd_bonds_return_state(const sherd_bonds *part, sherd_bonds *whole);
