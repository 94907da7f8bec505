// Drivers: points with prescribed motion, applied at nodes. A node all of whose mass comes from
// driven points takes their velocity; for a rotating driver that is the rigid-body velocity v + G
// (x_node - x_point). Nodes that other points reach, too, are pulled by springs
// (mpm_driver_springs.h). If points transfer no velocity gradients, the rotation of a driven node
// is added without counting as a push by its driver. A node of several drivers gets the mean of
// their velocities, weighted by mass; pieces joined by glue move together; drivers share the node's
// impulse by the mass that they drive there. Points move with their nodes, so they do not slip from
// the prescribed motion.
#pragma once

#include "base/parallel.h"
#include "models/mpm/drivers/mpm_driven_nodes.h"
#include "models/mpm/kernels/mpm_kernels.h"

#include <sherd/error.h>

typedef struct sherd_mpm_driver {
    size_t count;
    const size_t *at;           // indices of points (count)
    const sherd_vec3 *velocity; // prescribed [m/s] (count)
    // Deviation from the prescribed positions at the beginning of the step [m] (count)
    const sherd_vec3 *lag;
    bool turns;
    // Velocity gradient G = dv_i/dx_k of the motion to the end of the step, of rotating drivers
    // [1/s]
    double gradient[3][3];
    bool axes[3]; // driven axes
    // Results of the last step: impulse on the bodies, its moment about the origin, and work done
    // on them
    sherd_vec3 impulse, moment; // [N s], [N m s]
    // Includes the work that springs at the edge absorb, booked as loss of transfers [J]
    double work;
    size_t spring_end; // number of edge points of this driver and those before
} sherd_mpm_driver;

// Inputs of a step.
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

// Corrections of other accounts by drivers in a step [J].
typedef struct sherd_mpm_driver_losses {
    double transfer, contact;
} sherd_mpm_driver_losses;

// Driven axes of each point, one bit per axis, by index; the caller frees it. NULL: memory is
// short.
uint8_t *sherd_mpm_drivers_list_axes(const sherd_mpm_driver *drivers, int count, size_t points);

// The drivers of a step.
typedef struct sherd_mpm_driver_step sherd_mpm_driver_step;

// Finds the nodes that drivers reach. NULL: memory is short.
sherd_mpm_driver_step *sherd_mpm_drivers_begin(const sherd_mpm_driver_def *def, sherd_error *error);
const sherd_mpm_driven_nodes *sherd_mpm_drivers_nodes(const sherd_mpm_driver_step *step);
// Called after contact. Changes nodal velocities, and nodal momentum where a driver rotates; sets
// the results in the list. `dt`: length of the step [s].
sherd_status sherd_mpm_drivers_apply(sherd_mpm_driver_step *step, double dt,
                                     sherd_mpm_driver_losses *losses, sherd_error *error);
void sherd_mpm_drivers_free(sherd_mpm_driver_step *step); // or NULL
