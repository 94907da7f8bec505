// Time for which sleeping bodies stay undisturbed: nothing comes near them, and they come near
// nothing.
//
// Bodies at rest are disturbed by driven obstacles and by bodies in flight. Within a time t the
// path is at most
//
//   of a body in flight   t |v| + t^2 g / 2, for the sphere around it
//   of a driven obstacle  t (|mean velocity| + deviation from it + turning * r)
//                         r: distance of the elements from its pivot
//
// which must be less than half of the present gap: between spheres, between a sphere and an
// obstacle, or between an obstacle and all elements (from the last search).
#pragma once

#include "contact/contact.h"

// Time spans from `time` on [s].
typedef struct sherd_undisturbed {
    double time;
    double min_span, max_span; // shorter spans are not used, longer ones not examined
    sherd_vec3 gravity;        // [m/s^2]
} sherd_undisturbed;

// True if all obstacles are fixed.
bool sherd_contacts_are_fixed(const sherd_contacts *contacts);
bool sherd_contacts_have_free_bodies(const sherd_contacts *contacts);
// Time during which driven obstacles stay far from all elements, none of which moves; 0 if there
// are free bodies [s].
double sherd_contacts_at_rest_for(const sherd_contacts *contacts, const sherd_undisturbed *query);
// The same if all elements are asleep, at rest or in flight; sleepers have their present motions.
double sherd_contacts_asleep_for(const sherd_contacts *contacts, const sherd_undisturbed *query);

// Advances obstacles by such a time, past the sleepers, which move on; `time` is its end.
void sherd_contacts_pass(sherd_contacts *contacts, double time, double dt);
