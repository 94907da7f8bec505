// Elements at pre-cracks learn their faces.
#pragma once

#include "world/world.h"

// Of the body's elements from `first` on, whose bonds from `first_bond` on are scaled already. Where it fails the world's
// faces are those of the bodies before.
sherd_status sherd_world_add_cut_faces(sherd_world *world, const sherd_body_def *def,
                                       sherd_element_index first, int64_t first_bond,
                                       sherd_error *error);
