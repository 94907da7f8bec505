// What an Euler step takes from fragments that move as rigid bodies on contacts: that swing, roll, rock or slide.
//
// A step that changes a fragment's momentum by dP and its angular momentum by dL, by the loads at its end, loses
//   R = dP^2 / 2 M + dL I^-1 dL / 2
// of mechanical energy that nothing else takes: a share theta^2 where the motion turns by theta, all of what a rebound
// would give back where something is hit. As a force against the way that the fragment goes in the step, V dt, that is
// compared with a small share of its weight, as rolling resistance is.
#pragma once

#include "stepping/implicit/momentum_projection.h"

typedef struct sherd_rigid_drag_limits {
    double drag; // most R / (M V dt) [m/s^2], INFINITY: any
    double slow; // fragments slower than this don't count [m/s],
    double bent; // nor those with less kinetic energy than this [J]
} sherd_rigid_drag_limits;

// Both: of all fragments together, or of the worst among the larger ones.
//
// By how much fragments were accelerated, since the state step->now a time h before the present one, otherwise than by
// their present loads, over `limits->drag`.
double sherd_rigid_jump(const sherd_momentum_projection *projection, const sherd_elements *elements,
                        const sherd_projected_step *step, double h,
                        const sherd_rigid_drag_limits *limits);

// R over what is allowed, of a step of length dt that ends in the elements' poses and loads.
double sherd_rigid_drag(const sherd_momentum_projection *projection, const sherd_elements *elements,
                        const sherd_projected_step *step, double dt,
                        const sherd_rigid_drag_limits *limits);
