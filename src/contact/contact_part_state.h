// Shared by the two source files of contact_part.h.
#pragma once

#include "contact/contact_part.h"
#include "contact/contact_system.h"

// Free bodies are in one part only.
static inline bool sherd_contact_part_lacks(const sherd_obstacle *o,
                                            const sherd_contact_members *members)
{
    return o->kind == SHERD_OBSTACLE_FREE && !members->has_bodies;
}

// Copies pose and loads. The elements listed by `to` stay, because its reference pose belongs to
// its slack.
void sherd_obstacle_copy_pose(sherd_obstacle *to, const sherd_obstacle *from);
