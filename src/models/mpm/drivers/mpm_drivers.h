// Points that move as prescribed, at nodes. A node takes the drivers' velocity if all of its mass
// comes from driven points: that of the same rigid body where a driver turns, v + G (x_node -
// x_point). A node that other points reach, too, is pulled by springs (mpm_driver_springs.h).
// Points bring velocities without their gradients; what moves with a driven node turns as its
// driver does, and this is no push by it. A node of several drivers has the mean of their
// velocities, pieces that glue joins at a node move together, and drivers share what the node gets
// by the mass that they drive there. So points move as their nodes do, and nothing slips.
#pragma once

#include "base/parallel.h"
#include "models/mpm/drivers/mpm_driven_nodes.h"
#include "models/mpm/kernels/mpm_kernels.h"

#include <sherd/error.h>

typedef struct sherd_mpm_driver {
    size_t count;
    const size_t *at;           // places of points in the columns (count)
    const sherd_vec3 *velocity; // prescribed [m/s] (count)
    // From where they should be to where they are, when the step begins [m] (count)
    const sherd_vec3 *lag;
    bool turns;
    // G, dv_i/dx_k, of the velocities that lead to the step's end; where it turns [1/s]
    double gradient[3][3];
    bool axes[3]; // along which
    // Of the last step, by nodes: impulse on the bodies and its moment about the origin, and work
    // done on them.
    sherd_vec3 impulse, moment; // [N s], [N m s]
    double work;       // of which what springs at the edge take is booked as transfers' loss [J]
    size_t spring_end; // points of the edge, of this one and those before
} sherd_mpm_driver;

// What drivers have to know of a step.
typedef struct sherd_mpm_driver_def {
    sherd_mpm_grid *grid;
    const sherd_mpm_points *points; // sorted
    const sherd_solid *solids;      // by body
    const sherd_mpm_glues *glue;
    const sherd_mpm_node_def *nodes;
    bool affine;            // points have gradients of velocity
    sherd_mpm_driver *list; // (count)
    int count;
    sherd_parallel parallel;
} sherd_mpm_driver_def;

// What drivers take of other accounts in a step [J].
typedef struct sherd_mpm_driver_losses {
    double transfer, contact;
} sherd_mpm_driver_losses;

// Axes along which drivers move a point, a bit for each, by its place in the columns; the caller
// frees it. NULL: memory is short.
uint8_t *sherd_mpm_drivers_list_axes(const sherd_mpm_driver *drivers, int count, size_t points);

// The drivers of a step.
typedef struct sherd_mpm_driver_step sherd_mpm_driver_step;

// Finds the nodes that drivers move. NULL: memory is short.
sherd_mpm_driver_step *sherd_mpm_drivers_begin(const sherd_mpm_driver_def *def, sherd_error *error);
const sherd_mpm_driven_nodes *sherd_mpm_drivers_nodes(const sherd_mpm_driver_step *step);
// After contact, changes the layers' motion, and their momentum where a driver turns; sets what
// drivers have done in the list. `dt`: the step's length, in which points move [s].
sherd_status sherd_mpm_drivers_apply(sherd_mpm_driver_step *step, double dt,
                                     sherd_mpm_driver_losses *losses, sherd_error *error);
void sherd_mpm_drivers_free(sherd_mpm_driver_step *step); // or NULL
