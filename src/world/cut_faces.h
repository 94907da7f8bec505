// Finds the crack faces of elements at pre-cracks.
#pragma once

#include "world/world.h"

// For the body's elements from `first` on, whose bonds from `first_bond` on are scaled already. On
// failure the world's faces are those of the previous bodies.
sherd_status sherd_world_add_cut_faces(sherd_world *world, const sherd_body_def *def,
                                       sherd_element_index first, int64_t first_bond,
                                       sherd_error *error);
