// The law of a penalty spring: its force and energy, and how it follows as both sides move.
#pragma once

#include "models/mpm/surface/mpm_narrow_phase.h"

double sherd_mpm_penalty_stored(const sherd_mpm_contact_point *contact); // [J]
// On the sample's body [N].
void sherd_mpm_penalty_force(const sherd_mpm_contact_point *contact, double force[3]);
// The spring follows a way of the sample's body over the partner, along the normal and across it;
// what it loses is added to touch->lost.
void sherd_mpm_penalty_follow(sherd_mpm_contact_point *contact, const double along[3],
                              const double across[3]);
// Of a force along a way of the sample's body, at the places inside and on the surface.
double sherd_mpm_penalty_power(const sherd_mpm_contact_point *contact, const double force[3],
                               const double inside[3], const double along[3]);

// Whether the sample is a coupled body's ball or edge, and whether one side is a wall.
static inline bool sherd_mpm_contact_point_is_ball(const sherd_mpm_contact_point *contact)
{
    return contact->sample >> 63 != 0;
}

static inline bool sherd_mpm_contact_point_is_wall(const sherd_mpm_contact_point *contact)
{
    return contact->wall >= 0;
}
