// The points of a free body that press on another obstacle, taken together.
//
// The points act on the same motion. With springs k on overlaps d_p along normals n_p, W = sum of
// d_p (n_p, r_p x n_p) is the total wrench over k, and W.M^-1 W the square of the resulting
// acceleration in the metric of masses. Then
//   omega_s^2 = k W.M^-1 W / sum d_p^2         secant stiffness: F^2 / (2 V m) of one spring
//   omega_t^2 = k sum a_p^2 / W.M^-1 W         tangent stiffness, a_p = n_p.(M^-1 W)_p
// A body on one spring has omega_s = omega_t, and so has a body that lands flat on many. A round
// body touches with more and more points, and its springs harden.
//
// In one dimension m v' = -V' - c v with c = 2 zeta V' sqrt(m / 2V) = 2 zeta m omega_s is the
// linear oscillator in y = sqrt(2V), whose restitution follows from zeta for every V. The dashpots of all
// points add up to that with
//   c_p = 2 zeta k omega_s / omega_t^2
// which is 2 zeta sqrt(k m) for one point. The part s a_p of the closing speeds u, s = sum d u /
// W.M^-1 W, is along the acceleration by the springs. Dashpots act on u - s a_p (rocking, for
// example) unchanged, and on s a_p in proportion to d. So a point that has just begun or is about
// to end contact pushes no more than its spring, and all points separate together.
#pragma once

#include "bodies/obstacle.h"

// Sums over points that press, divided by the springs' k.
typedef struct sherd_body_patch {
    int32_t count;
    double squares;              // sum of d^2 [m^2]
    sherd_vec3 force, torque;    // on the body, about its centre [m], [m^2]
    sherd_vec3 back_torque;      // on the other one, about its centre [m^2]
    double square_accelerations; // sum of a_p^2 [m^2/kg^2]
    double power;                // sum of d u, u the closing speeds [m^2/s]
    // accelerations of both by the springs, over k (sherd_body_patch_push)
    sherd_vec3 moving[2], turning[2];
    // Sum of j j', j = (n, r x n), of the body and of the other; lower triangle.
    double response[2][6][6];
} sherd_body_patch;

// Common quantities of all points that press.
typedef struct sherd_body_grip {
    double mobility;        // omega_s^2 / k [1/kg]
    double speed;           // s [kg/(m s)]
    double stiffness_ratio; // omega_s^2 / omega_t^2
    // Upper bound of the largest eigenvalue of the mobility of the points, at most a seventh too
    // large.
    double max_eigenvalue; // [1/kg]
} sherd_body_grip;

void sherd_body_patch_add(sherd_body_patch *patch, const sherd_obstacle *body,
                          const sherd_obstacle *other, sherd_vec3 x, sherd_vec3 n, double overlap);

// The patch as seen from the other body, whose points press on this one.
void sherd_body_patch_join(sherd_body_patch *patch, const sherd_body_patch *from_other);

// Computes the accelerations of both bodies, once all points have been added.
void sherd_body_patch_push(sherd_body_patch *patch, const sherd_obstacle *body,
                           const sherd_obstacle *other);

// Relative acceleration of the body against the other along n at x, under the patch's springs, over
// k [m/kg].
double sherd_body_patch_acceleration(const sherd_body_patch *patch, const sherd_obstacle *body,
                                     const sherd_obstacle *other, sherd_vec3 x, sherd_vec3 n);

// W.M^-1 W: over k, the square of the speed with which springs separate a body from rest [m^2/kg].
double sherd_body_patch_response(const sherd_body_patch *patch, const sherd_obstacle *body,
                                 const sherd_obstacle *other);

// Once `square_accelerations` is computed. For one or more points.
sherd_body_grip sherd_body_patch_grip(const sherd_body_patch *patch, const sherd_obstacle *body,
                                      const sherd_obstacle *other);
