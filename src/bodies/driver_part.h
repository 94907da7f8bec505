// Drivers of a part of a world (system_part.h): those whose elements are in it. A driver is in one
// part.
#pragma once

#include "bodies/driver.h"

// `local` is by element of the whole: its index in the part, or -1.
sherd_status sherd_drivers_extract_part(sherd_drivers *part, const sherd_drivers *whole,
                                        const sherd_element_index *local, sherd_error *error);

// Adds the sums of probes over the last steps of a part to the whole, where these steps have the
// total weight `weight`.
void sherd_drivers_move_sums(sherd_drivers *part, sherd_drivers *whole, double weight);
