// Points that move as prescribed, at nodes: those that nothing else reaches move with them, as the same rigid body where it
// turns: v + G (x_node - x_point). Those that others reach, too, are pulled (mpm_driver_springs.h). Points bring velocities
// without their gradients; what moves with a node that is held turns as its driver does, and this is no push by it. Nodes of
// several drivers have the mean of what these prescribe, pieces that glue joins at a node move together,
// and drivers share what the node gets by the mass that they hold there. So points move as their nodes do, and nothing
// slips.
#pragma once

#include "models/mpm/drivers/mpm_driven_nodes.h"
#include "models/mpm/mpm.h"

struct sherd_mpm_driver {
    size_t count;
    const size_t *at;           // places of points in the columns (count)
    const sherd_vec3 *velocity; // prescribed [m/s] (count)
    const sherd_vec3
        *lag; // from where they should be to where they are, when the step begins [m] (count)
    bool turns;
    double gradient
        [3][3]; // G, dv_i/dx_k, of the velocities that lead to the step's end; where it turns [1/s]
    bool axes[3]; // along which
    // Of the last step, by nodes: impulse on the bodies and its moment about the origin, and work done on them.
    sherd_vec3 impulse, moment; // [N s], [N m s]
    double work;   // of which what springs at the edge take is booked as transfers' loss [J]
    size_t pulled; // points of the edge, of this one and those before
};

// The holds of a step.
typedef struct sherd_mpm_driver_step sherd_mpm_driver_step;

// Which nodes they hold; points must be sorted. NULL: memory is short.
sherd_mpm_driver_step *sherd_mpm_drivers_begin(sherd_mpm *m, const sherd_mpm_node_def *nodes,
                                               sherd_error *error);
const sherd_mpm_driven_nodes *sherd_mpm_drivers_nodes(const sherd_mpm_driver_step *holding);
// After contact, changes the layers' motion, and their momentum where what is held turns; sets what holds have done. `dt`:
// the step's length, in which points move [s].
sherd_status sherd_mpm_drivers_apply(sherd_mpm_driver_step *holding, double dt, sherd_error *error);
void sherd_mpm_drivers_free(sherd_mpm_driver_step *holding); // or NULL
