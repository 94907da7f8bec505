// Penalty springs at nodes (mpm_penalty_contact.h): interpolation of the velocities that a spring
// follows, and distribution of its impulse. For the normal direction both refer to a point inside
// the body, at the depth of the contact side; for the tangential direction to the point of contact.
#pragma once

#include "models/mpm/surface/mpm_narrow_phase.h"

// Which nodal velocities: those of this step, or those that points brought to the nodes.
typedef enum sherd_mpm_moment { SHERD_NOW, SHERD_BEFORE } sherd_mpm_moment;

void sherd_mpm_penalty_velocities(const sherd_mpm_penalty_def *def,
                                  const sherd_mpm_contact_point *contact, int side,
                                  sherd_mpm_moment when, double inside[3], double along[3]);

// Receiver of an impulse: loads; loads and the nodal velocities of this step; or nothing but the
// return value.
typedef enum sherd_mpm_receiver {
    SHERD_TO_LOADS,
    SHERD_TO_MOTION,
    SHERD_TO_NOTHING
} sherd_mpm_receiver;

// Applies an impulse to the sample's body (side 0), or the opposite one to the other side [N s].
// SHERD_TO_NOTHING: returns its work along the difference between nodal velocities and those that
// points brought [J].
double sherd_mpm_penalty_apply_impulse(const sherd_mpm_penalty_def *def,
                                       const sherd_mpm_contact_point *contact, int side,
                                       const double impulse[3], sherd_mpm_receiver to);

// Work of an impulse on a side along the change of velocity by advection, -dt (u . grad) v [J]:
// between two steps a spring moves with its sample to another position. Signs as in
// sherd_mpm_penalty_apply_impulse.
double sherd_mpm_penalty_advected_work(const sherd_mpm_penalty_def *def,
                                       const sherd_mpm_contact_point *contact, int side,
                                       const double impulse[3]);

// Gives pieces that glue joins at nodes of a side one velocity again after one of them has been
// pushed. Returns the energy lost [J].
double sherd_mpm_penalty_join(const sherd_mpm_penalty_def *def, const sherd_mpm_contact_side *side);
