// The law of contact_trial.h for one contact: a pure function of the overlap of two surfaces and of
// their slip since the start of the step.
//
//   s  = max(0, overlap - rest)      compression [m], s_n at the start of the step
//   y  = P (xi_n + u)                friction spring: xi_n at the start, u the slip since, P projects onto the tangent plane
//
//   normal     V(s) + 1/2 c/dt (s - s_n)^2   of spring (contact_potentials.h) and dashpot, where both push
//   barrier    of contact_barrier.h, in place of V or added to it
//   rolling    the same of the angle rolled (rolling_law.h)
//   friction   1/2 k_t |y|^2 while k_t |y| <= mu N, mu N |y| - (mu N)^2 / 2 k_t beyond; N is lagged
//
// The dashpot acts on s, not on the gap: its force starts from zero at first contact, and the
// energy is smooth enough for a minimisation. Each part is convex in s and in y.
#pragma once

#include "laws/contact/contact_barrier.h"
#include "laws/contact/contact_law.h"
#include "math/vec3.h"

typedef struct contact_trial_law {
    contact_spring spring;
    double stiffness;    // k_r, for friction and the barrier [N/m]
    double dashpot;      // c / dt [N/m]
    double friction;     // mu
    double rest_overlap; // overlap without force [m]
    double start;        // s_n [m]
    double width;        // w of the barrier [m], 0 = none
    double limit; // fraction of w beyond which the barrier is finite, 0: it is infinite there
} contact_trial_law;

// The largest possible s [m]; 0: unbounded.
static inline double contact_wall(const contact_trial_law *law)
{
    if (law->limit > 0.0) return 0.0;
    return law->spring.walled ? law->spring.width : law->width;
}

static inline contact_potential_value contact_law_evaluate(const contact_trial_law *law, double s)
{
    contact_potential_value value =
        sherd_contact_damped_evaluate(&law->spring, law->dashpot, law->start, s);
    contact_add_barrier(law->stiffness, law->width, law->limit, s, &value);
    return value;
}

typedef struct contact_slip {
    double energy;        // [J]
    sherd_vec3 gradient;  // dE/dy [N]
    double along, across; // second derivatives along y and across it, >= 0 [N/m]
    int slides;
} contact_slip;

// A spring of stiffness k_t, limited to `cap` = mu N.
static inline contact_slip contact_limited(double k_t, double cap, sherd_vec3 y)
{
    double length = vec3_length(y);
    if (k_t * length <= cap)
        return (contact_slip){0.5 * k_t * length * length, vec3_scale(k_t, y), k_t, k_t, 0};
    double each = cap / length;
    return (contact_slip){cap * length - 0.5 * cap * cap / k_t, vec3_scale(each, y), 0.0, each, 1};
}

static inline contact_slip contact_slipped(double stiffness, double cap, sherd_vec3 y)
{
    return contact_limited(SHERD_CONTACT_TANGENTIAL_RATIO * stiffness, cap, y);
}

// Converts the energy's derivative by the rotation vector theta of a step to that by further small
// rotations, exp(dtheta) exp(theta): the transposed inverse of the left Jacobian of SO(3),
//   t + 1/2 theta x t + b theta x (theta x t),   b = (1 - a/2 cot a/2) / a^2,  a = |theta| <= pi
static inline sherd_vec3 contact_rotated_torque(sherd_vec3 theta, sherd_vec3 t)
{
    double a2 = vec3_dot(theta, theta), a = sqrt(a2);
    // Series near 0: relative error below a^4 / 2500.
    double b = a > 1e-2 ? (1.0 - 0.5 * a / tan(0.5 * a)) / a2 : 1.0 / 12.0 + a2 / 720.0;
    sherd_vec3 cross = vec3_cross(theta, t);
    return vec3_add_scaled(vec3_add_scaled(t, 0.5, cross), b, vec3_cross(theta, cross));
}
