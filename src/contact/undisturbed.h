// How long bodies that are asleep stay so: nothing comes near them, and they come near nothing.
//
// What rests is disturbed by driven obstacles and by bodies in flight. With a time t goes a way at most,
//
//   of a body in flight   t |v| + t^2 g / 2, of a sphere around it
//   of a driven obstacle  t (|mean velocity| + deviation from it + turning * distance of the elements from its pivot)
//
// which must be less than half of the gap that there is now: between spheres, between a sphere and an obstacle, or
// between an obstacle and all elements, as the last search has found it.
#pragma once

#include "contact/contact.h"

// Times from `time` on [s].
typedef struct sherd_undisturbed {
    double time;
    double least, most; // what is shorter counts as none, what is longer is not looked at
    sherd_vec3 gravity; // [m/s^2]
} sherd_undisturbed;

// Whether all obstacles are fixed.
bool sherd_contacts_are_fixed(const sherd_contacts *contacts);
// How long driven obstacles are far from all elements, where none of them moves; 0: free bodies may come [s].
double sherd_contacts_at_rest_for(const sherd_contacts *contacts, const sherd_undisturbed *ask);
// The same where all elements are asleep, at rest or in flight; motions of sleepers are those of now.
double sherd_contacts_asleep_for(const sherd_contacts *contacts, const sherd_undisturbed *ask);

// Obstacles move on by such a time, past sleepers that go on; `time` is its end.
void sherd_contacts_pass(sherd_contacts *contacts, double time, double dt);
