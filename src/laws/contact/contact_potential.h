// The law of contact_trial.h for one contact: a pure function of how far two surfaces press into each
// other and how far they have slid since the start of the step.
//
//   s  = max(0, overlap - rest)      pressed [m], s_n at the start of the step
//   y  = P (xi_n + u)                friction spring: xi_n at the start, u slid since, P onto the tangent plane
//
//   normal     1/2 K max(0, s - s*)^2,     K = k + c/dt,  s* = c/dt s_n / K
//              has the force k s + c/dt (s - s_n) of spring and dashpot, where that pushes
//   barrier    -(k_c pi r / 2) s^2 ln(1 - s/w)               [RBDEM] (30) with docs/physics.md 2, k_c = E
//   friction   1/2 k_t |y|^2 while k_t |y| <= mu N, mu N |y| - (mu N)^2 / 2 k_t beyond; N is kept while
//              minimising
//
// The dashpot counts what is pressed and not what is still apart: so its force begins with touching,
// from nothing, which a minimum can be found with. Each part is convex, in s and in y.
#pragma once

#include "laws/contact/contact_law.h"
#include "math/vec3.h"

typedef struct contact_potential {
    double stiffness; // k_r [N/m]
    double dashpot;   // c / dt [N/m]
    double friction;  // mu
    double rest;      // overlap at rest [m]
    double start;     // s_n [m]
    double width;     // w of the barrier [m], 0 = none
} contact_potential;

typedef struct contact_push {
    double energy;  // [J], infinite beyond the barrier
    double force;   // N >= 0 [N]
    double tangent; // dN/ds >= 0 [N/m]
} contact_push;

// dE/ds = -k s ln(1 - s/w) + k/2 s^2 / (w - s):  k_c pi r / 2 is half the contact's stiffness.
static inline void contact_add_barrier(const contact_potential *law, double s, contact_push *push)
{
    if (law->width <= 0.0 || s <= 0.0) return;
    double left = law->width - s, half = 0.5 * law->stiffness;
    if (!(left > 0.0)) {
        *push = (contact_push){INFINITY, 0.0, 0.0};
        return;
    }
    double log_left = log1p(-s / law->width), ratio = s / left;
    push->energy -= half * s * s * log_left;
    push->force += half * s * (ratio - 2.0 * log_left);
    push->tangent += half * (ratio * ratio + 4.0 * ratio - 2.0 * log_left);
}

static inline contact_push contact_pushed(const contact_potential *law, double s)
{
    double sum = law->stiffness + law->dashpot;
    double beyond = s - law->dashpot * law->start / sum;
    contact_push push = {0.0, 0.0, 0.0};
    if (s > 0.0 && beyond > 0.0)
        push = (contact_push){0.5 * sum * beyond * beyond, sum * beyond, sum};
    contact_add_barrier(law, s, &push);
    return push;
}

typedef struct contact_slip {
    double energy;        // [J]
    sherd_vec3 gradient;  // dE/dy [N]
    double along, across; // second derivatives along y and across it, >= 0 [N/m]
    int slides;
} contact_slip;

// `cap` = mu N.
static inline contact_slip contact_slipped(double stiffness, double cap, sherd_vec3 y)
{
    const double k_t = SHERD_CONTACT_TANGENTIAL_SHARE * stiffness;
    double length = vec3_length(y);
    if (k_t * length <= cap)
        return (contact_slip){0.5 * k_t * length * length, vec3_scale(k_t, y), k_t, k_t, 0};
    double each = cap / length;
    return (contact_slip){cap * length - 0.5 * cap * cap / k_t, vec3_scale(each, y), 0.0, each, 1};
}

// What the energy's derivative by the rotation vector theta of a step becomes for further small
// rotations, exp(dtheta) exp(theta): the transposed inverse of the left Jacobian of SO(3),
//   t + 1/2 theta x t + b theta x (theta x t),   b = (1 - a/2 cot a/2) / a^2,  a = |theta| <= pi
static inline sherd_vec3 contact_turned_torque(sherd_vec3 theta, sherd_vec3 t)
{
    double a2 = vec3_dot(theta, theta), a = sqrt(a2);
    // Series near 0: relative error below a^4 / 2500.
    double b = a > 1e-2 ? (1.0 - 0.5 * a / tan(0.5 * a)) / a2 : 1.0 / 12.0 + a2 / 720.0;
    sherd_vec3 cross = vec3_cross(theta, t);
    return vec3_add_scaled(vec3_add_scaled(t, 0.5, cross), b, vec3_cross(theta, cross));
}
