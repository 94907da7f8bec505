// A free rigid body as seen by fluids (fluid/mpm_immersed_bodies.h): its surface and its motion.
// The impulses by fluids are stored here, separately from those that its samples get at nodes.
#pragma once

#include "models/mpm/grid/mpm_walls.h"

typedef struct sherd_mpm_rigid_body {
    uint32_t body; // number of its layers
    sherd_mpm_wall surface;
    double centre[3], v[3], w[3]; // including all impulses so far and gravity [m], [m/s], [rad/s]
    double give, inverse_inertia[3][3]; // inverse of mass and inertia [1/kg], [1/(kg m^2)]
    double impulse[3],
        angular_impulse[3]; // impulse, and its moment about the centre [N s], [N m s]
} sherd_mpm_rigid_body;

// Velocity at x; sets the first three components [m/s].
void sherd_mpm_rigid_body_velocity(const sherd_mpm_rigid_body *rigid, const double x[3],
                                   double v[4]);
// Velocity change at x along a unit normal by a unit impulse along it [1/kg].
double sherd_mpm_rigid_body_compliance(const sherd_mpm_rigid_body *rigid, const double x[3],
                                       const double normal[3]);
void sherd_mpm_rigid_body_push(sherd_mpm_rigid_body *rigid, const double x[3],
                               const double impulse[3]);
