// The load of what rests asleep on fixed obstacles.
//
// Something falls asleep while it still vibrates, by far more force than its weight where contacts are stiff. Asleep
// it is at rest: the forces of obstacles on it balance gravity. Of the contacts c that hold it
//
//   f_c = s (N_c n_c + t_c) + N_c (a + b x (x_c - X)),      X = sum N_c x_c / sum N_c
//
// N_c is the contact's mean normal force over its last periods, t_c its friction, at most mu N_c; s makes the
// vertical part that of the weight. What is left is small: a and b make the sums of f_c and of its moments
// exact, and are those by which the least squares of (f_c - s (N_c n_c + t_c)) / sqrt(N_c) change it. So how much each
// obstacle bears follows from what contacts bore on average. Directions in which contacts have no lever, as about the
// line through two of them, are left alone.
#pragma once

#include "contact/contact.h"

// Sets the loads of the sleepers from the number `first` on, which all rest; their elements are placed.
sherd_status sherd_contacts_balance_loads(sherd_contacts *contacts, const sherd_points *points,
                                          int32_t first, sherd_vec3 gravity, sherd_error *error);

// Marks the groups that press on fixed obstacles. `group` is by element.
void sherd_contacts_mark_supported(const sherd_contacts *contacts, const int32_t *group,
                                   uint8_t *supported);
