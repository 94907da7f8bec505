// Friction as a change of velocities after a step.                        [IBDEM25] (34), (35)
//
//   sliding   dv = -min(1, mu_s |F| dt / (m |v_t|)) v_t
//   rolling   dw = -min(1, mu_r |F| a dt / (I |w|)) w,   a = r; printed is r^3, which has the unit of a
//             lever only for a mu_r in 1/m^2
//
// v_t, w are those relative to the other side, m, I the element's own. Below the bound each is -dD/dv of
// the potential  D = mu |F| dt / m |v_t|: Coulomb's force for the time dt. The sum over an element's
// contacts counts only along its own velocity, and at most as much as that: friction neither turns a
// velocity nor sets anything in motion.
#pragma once

#include "math/vec3.h"

static inline sherd_vec3 sherd_rubbed_by(double impulse, double inertia, sherd_vec3 velocity)
{
    double momentum = inertia * vec3_length(velocity);
    if (!(momentum > 0.0)) return (sherd_vec3){0.0, 0.0, 0.0};
    return vec3_scale(-fmin(1.0, impulse / momentum), velocity);
}

static inline sherd_vec3 sherd_sliding_change(double friction, double force, double dt, double mass,
                                              sherd_vec3 tangential)
{
    return sherd_rubbed_by(friction * force * dt, mass, tangential);
}

static inline sherd_vec3 sherd_rolling_change(double friction, double force, double lever,
                                              double dt, double inertia, sherd_vec3 spin)
{
    return sherd_rubbed_by(friction * force * lever * dt, inertia, spin);
}

// The part of a change along the velocity, at most as long as that.
static inline sherd_vec3 sherd_along_velocity(sherd_vec3 velocity, sherd_vec3 change)
{
    double v2 = vec3_dot(velocity, velocity);
    if (!(v2 > 0.0)) return (sherd_vec3){0.0, 0.0, 0.0};
    return vec3_scale(fmax(-1.0, fmin(1.0, vec3_dot(change, velocity) / v2)), velocity);
}
