// Points that move as prescribed, at nodes: those that they reach move with them, but for such whose mass is theirs by less
// than 2 %, as the same rigid body where it turns: v + G (x_node - x_point). Points bring velocities without their
// gradients; what moves with a node that is held turns as its driver does, and this is no push by it. Nodes of several
// drivers have the mean of what these prescribe, pieces that glue joins at a node move together,
// and drivers share what the node gets by the mass that they hold there. So points move as their nodes do, and nothing
// slips; a region holds what lies within about a spacing of nodes as well.
#pragma once

#include "models/mpm/mpm.h"

struct sherd_mpm_hold {
    size_t count;
    const size_t *at;           // places of points in the columns (count)
    const sherd_vec3 *velocity; // prescribed [m/s] (count)
    bool turns;
    double gradient
        [3][3]; // G, dv_i/dx_k, of the velocities that lead to the step's end; where it turns [1/s]
    bool axes[3]; // along which
    // Of the last step, by nodes: impulse on the bodies and its moment about the origin, and work done on them.
    sherd_vec3 impulse, moment; // [N s], [N m s]
    double work;                // [J]
};

// Changes the layers' motion, and their momentum where what is held turns. Points must be sorted, and nodes updated with
// that share of FLIP.
sherd_status sherd_mpm_apply_holds(sherd_mpm *m, sherd_mpm_hold *holds, int count, double flip,
                                   sherd_error *error);
