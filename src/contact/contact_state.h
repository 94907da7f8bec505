// Field table of the saved contact state, for the test that every member is in it. Functions to
// save and restore are in contact.h.
#pragma once

#include "base/row_layout.h"

extern const sherd_row_layout sherd_pair_layout, sherd_contact_history_layout,
    sherd_obstacle_history_layout, sherd_displacement_part_layout;
