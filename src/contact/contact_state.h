// Rows of what contact saves, for the test that no member is forgotten; saving and restoring are in contact.h.
#pragma once

#include "base/row_layout.h"

extern const sherd_row_layout sherd_pair_layout, sherd_contact_history_layout,
    sherd_obstacle_history_layout, sherd_displacement_part_layout;
