// The points of a free body that press on another obstacle, taken together.
//
// Points share what they move. With springs k on overlaps d_p along normals n_p, W = sum of d_p (n_p, r_p x n_p) is the
// wrench of all over k, and W.M^-1 W the square of the acceleration that it gives in the metric of masses. Then
//   omega_s^2 = k W.M^-1 W / sum d_p^2         the stiffness seen from rest: F^2 / (2 V m) of one spring
//   omega_t^2 = k sum a_p^2 / W.M^-1 W         the one that the next bit of motion meets, a_p = n_p.(M^-1 W)_p
// A body on one spring has omega_s = omega_t; so has one that lands flat on many. Of a round one more and more points
// touch, and springs harden.
//
// In one dimension m v' = -V' - c v with c = 2 zeta V' sqrt(m / 2V) = 2 zeta m omega_s is the linear oscillator in
// y = sqrt(2V): it rebounds as zeta says whatever V is. Dashpots c_p of all points that add up to that are
//   c_p = 2 zeta k omega_s / omega_t^2
// which is 2 zeta sqrt(k m) for one point. Of closing speeds u the part s a_p, s = sum d u / W.M^-1 W, goes as springs push:
// dashpots act on u - s a_p as they are, rocking for one, and on s a_p in proportion to d. So a point that has just come, or is
// about to leave, pushes no more than its spring, and all end together.
#pragma once

#include "bodies/obstacle.h"

// Of points that press, in units of their springs' k.
typedef struct sherd_body_patch {
    int32_t count;
    double squares;                   // sum of d^2 [m^2]
    sherd_vec3 force, torque;         // on the body, about its centre [m], [m^2]
    sherd_vec3 back_torque;           // on the other one, about its centre [m^2]
    double square_accelerations;      // sum of a_p^2 [m^2/kg^2]
    double power;                     // sum of d u, u the closing speeds [m^2/s]
    sherd_vec3 moving[2], turning[2]; // of both, by the springs over k (sherd_body_patch_push)
    // Sum of j j', j = (n, r x n), of the body and of the other; below the diagonal.
    double response[2][6][6];
} sherd_body_patch;

// What all points that press have in common.
typedef struct sherd_body_grip {
    double mobility; // omega_s^2 / k [1/kg]
    double speed;    // s [kg/(m s)]
    double share;    // omega_s^2 / omega_t^2
    // The largest eigenvalue of how points move under forces on them, at most a seventh too large.
    double most; // [1/kg]
} sherd_body_grip;

void sherd_body_patch_add(sherd_body_patch *patch, const sherd_obstacle *body,
                          const sherd_obstacle *other, sherd_vec3 x, sherd_vec3 n, double overlap);

// Of the contact seen from the other body, whose points press on this one.
void sherd_body_patch_join(sherd_body_patch *patch, const sherd_body_patch *from_other);

// How both bodies accelerate, once all points are there.
void sherd_body_patch_push(sherd_body_patch *patch, const sherd_obstacle *body,
                           const sherd_obstacle *other);

// Along n at x, under the patch's springs, over k: of the body against the other [m/kg].
double sherd_body_patch_acceleration(const sherd_body_patch *patch, const sherd_obstacle *body,
                                     const sherd_obstacle *other, sherd_vec3 x, sherd_vec3 n);

// W.M^-1 W: over k, the square of the speed with which springs part a body from rest [m^2/kg].
double sherd_body_patch_response(const sherd_body_patch *patch, const sherd_obstacle *body,
                                 const sherd_obstacle *other);

// Once `square_accelerations` is known. Of one point or more.
sherd_body_grip sherd_body_patch_grip(const sherd_body_patch *patch, const sherd_obstacle *body,
                                      const sherd_obstacle *other);
