// Contact of elements with one obstacle: who is near, and the forces.
#pragma once

#include "contact/obstacle.h"
#include "contact/pair_contact.h"

// Brings the list of near elements up to date after everything moved by at most `way` [m]: elements
// by max speed times dt, the obstacle by its own step. `first` takes overlaps as rest.
sherd_status sherd_obstacle_search(sherd_obstacle *obstacle, const sherd_elements *elements,
                                   double way, double skin, bool first, sherd_error *error);

// Evaluates all contacts and adds loads to elements and obstacle. Sums are in a fixed order.
sherd_contact_sums sherd_obstacle_apply(sherd_obstacle *obstacle, sherd_elements *elements,
                                        double dt, const sherd_parallel *parallel);
