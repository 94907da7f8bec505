// Energy loss of an Euler step for fragments that move as rigid bodies on contacts: that swing,
// roll, rock or slide.
//
// A step that changes a fragment's momentum by dP and its angular momentum by dL, by the loads at its end, loses
//   R = dP^2 / 2 M + dL I^-1 dL / 2
// of mechanical energy. R is numerical damping: no other energy account includes it. It is about a
// fraction theta^2 of the kinetic energy if the velocity turns by theta in the step; in an impact it
// is all the energy that a rebound would return. R over the path V dt of the fragment in
// the step is a retarding force, which is compared with a small fraction of its weight, like
// rolling resistance.
#pragma once

#include "stepping/implicit/momentum_projection.h"

typedef struct sherd_rigid_drag_limits {
    double drag; // largest R / (M V dt) [m/s^2], INFINITY: any
    double slow; // slower fragments do not count [m/s],
    double bent; // nor those with less kinetic energy than this [J]
} sherd_rigid_drag_limits;

// Both functions: for all fragments together, or for the worst of the larger ones.
//
// Acceleration of fragments since the state step->now, a time h before the present one, that is not
// explained by their present loads, over `limits->drag`.
double sherd_rigid_jump(const sherd_momentum_projection *projection, const sherd_elements *elements,
                        const sherd_projected_step *step, double h,
                        const sherd_rigid_drag_limits *limits);

// R over its allowed value, for a step of length dt that ended with the elements' poses and loads.
double sherd_rigid_drag(const sherd_momentum_projection *projection, const sherd_elements *elements,
                        const sherd_projected_step *step, double dt,
                        const sherd_rigid_drag_limits *limits);
