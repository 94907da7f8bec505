// The law of a penalty spring: its force and energy, and how it changes as both sides move.
#pragma once

#include "models/mpm/surface/mpm_narrow_phase.h"

double sherd_mpm_penalty_stored(const sherd_mpm_contact_point *contact); // energy [J]
// Force on the sample's body [N].
void sherd_mpm_penalty_force(const sherd_mpm_contact_point *contact, double force[3]);
// Advances the spring by displacements of the sample's body relative to the partner, for the normal
// and the tangential direction; dissipated energy is added to contact->lost.
void sherd_mpm_penalty_follow(sherd_mpm_contact_point *contact, const double along[3],
                              const double across[3]);
// Work of a force along displacements of the sample's body inside and on the surface.
double sherd_mpm_penalty_power(const sherd_mpm_contact_point *contact, const double force[3],
                               const double inside[3], const double along[3]);

// Whether the sample is a coupled body's ball or edge.
static inline bool sherd_mpm_contact_point_is_ball(const sherd_mpm_contact_point *contact)
{
    return contact->sample >> 63 != 0;
}

static inline bool sherd_mpm_contact_point_is_wall(const sherd_mpm_contact_point *contact)
{
    return contact->wall >= 0;
}
