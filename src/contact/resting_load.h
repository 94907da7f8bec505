// Contact forces of sleeping bodies at rest on fixed obstacles.
//
// A body falls asleep while it still vibrates, with contact forces far above its weight if contacts
// are stiff. Once asleep it is at rest: the forces of obstacles on it balance gravity. Its
// supporting contacts c get the forces
//
//   f_c = s (N_c n_c + t_c) + N_c (a + b x (x_c - X)),      X = sum N_c x_c / sum N_c
//
// N_c is the contact's mean normal force over the last periods, t_c its friction force, at most mu
// N_c; s scales the vertical component to the weight. The remaining force and moment are small: a
// and b make both zero, with the least squares correction of (f_c - s (N_c n_c + t_c)) / sqrt(N_c).
// So the distribution of the weight over obstacles follows from the mean contact forces. Directions
// in which contacts have no lever, such as rotation about the line through two contacts, are not
// corrected.
#pragma once

#include "contact/contact.h"

// Sets the loads of the sleepers from index `first` on, all of which are at rest. Positions of
// their elements must be up to date.
sherd_status sherd_contacts_balance_loads(sherd_contacts *contacts, const sherd_points *points,
                                          int32_t first, sherd_vec3 gravity, sherd_error *error);

// Marks the groups that press on fixed obstacles. `group` is by element.
void sherd_contacts_mark_supported(const sherd_contacts *contacts, const int32_t *group,
                                   uint8_t *supported);
