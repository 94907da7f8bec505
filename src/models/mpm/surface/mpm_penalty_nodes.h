// Penalty springs at the nodes of their points (mpm_penalty_contact.h): the velocities that a
// spring follows, and the nodes that get its impulse. Along the normal both are taken at a place
// half of what lies behind the face inside, across it where both sides touch.
#pragma once

#include "models/mpm/surface/mpm_narrow_phase.h"

// Of nodes, now, or as points brought them before this step's are known.
typedef enum sherd_mpm_moment { SHERD_NOW, SHERD_BEFORE } sherd_mpm_moment;

void sherd_mpm_penalty_velocities(const sherd_mpm_penalty_def *def,
                                  const sherd_mpm_contact_point *contact, int side,
                                  sherd_mpm_moment when, double inside[3], double along[3]);

// What an impulse is given to: loads, these and the motion that nodes have already, or nothing but
// accounts.
typedef enum sherd_mpm_receiver {
    SHERD_TO_LOADS,
    SHERD_TO_MOTION,
    SHERD_TO_NOTHING
} sherd_mpm_receiver;

// An impulse on the sample's body (side 0), or its opposite on the other [N s]. SHERD_TO_NOTHING:
// returns it along how far the motion is from what points brought [J].
double sherd_mpm_penalty_apply_impulse(const sherd_mpm_penalty_def *def,
                                       const sherd_mpm_contact_point *contact, int side,
                                       const double impulse[3], sherd_mpm_receiver to);

// Between two steps a spring of points goes with the sample, and finds the velocities of the last
// step at another place: what an impulse on a side does along the difference, -dt (u . grad) v [J].
// Signs as of sherd_mpm_penalty_apply_impulse.
double sherd_mpm_penalty_advected_work(const sherd_mpm_penalty_def *def,
                                       const sherd_mpm_contact_point *contact, int side,
                                       const double impulse[3]);

// Gives pieces that glue joins at nodes of a side one velocity there, once one of them has been
// pushed. Returns what that takes of them [J].
double sherd_mpm_penalty_join(const sherd_mpm_penalty_def *def, const sherd_mpm_contact_side *side);
