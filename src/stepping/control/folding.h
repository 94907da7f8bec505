// How long an implicit step may be before parts of one body can have passed through each other unseen: of a ring that
// closes on itself, a rope that whips.
#pragma once

#include "bodies/driver_course.h"
#include "stepping/system.h"

// Shortens *unseen [s] so that no two elements of a component that no bond joins, from where they are and along their
// courses, seen from the component's mean motion, turn and all, go farther into each other than by the radius of the
// smaller one. `root`: components (n).
sherd_status sherd_system_unfolded_time(const sherd_system *system, const sherd_element_index *root,
                                        const sherd_element_course *courses, double *unseen,
                                        sherd_error *error);
