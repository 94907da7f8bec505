// Rolling friction: a couple against the relative rotation of two round elements that touch, or of one that
// touches an obstacle, about axes in the tangent plane. Spring, dashpot and limit are those of model C of
// [ADEM]; the spring's stiffness is Iwashita and Oda's.
//
//   theta    rotation of i less that of j since they touch, without its part along n       [rad]
//   M = -k theta - c dtheta/dt,   |M| <= mu_r R F_n         on i; -M on j                  [N m]
//   R = r_i r_j / (r_i + r_j), against an obstacle r_i                                     [m]
//   k = k_t R^2, so that rolling is as stiff as friction's spring is at the lever R        [N m]
//
// With R at most half of the larger radius and k_t = 2/7 k_r, the couple's spring shortens no explicit step: in a
// packing, rotating two elements alike stretches friction's spring by more than rotating them against
// each other stretches this one; beside an obstacle both together have 3.2 k_r / m where a packing has 16
// (sherd_contacts_max_eigenvalue). Where the limit is reached the spring is shortened to it, as friction's.
//
// The spring turns with the contact: from the last normal to the present one, and about it by half of both
// spins, so that two elements that move like one rigid body keep the couple in their frame.
//
// Energy is booked as that of friction (contact_respond.h): velocity Verlet takes 1/2 (M_old + M_new) . w dt.
#pragma once

#include "laws/contact/contact_law.h"

// A contact's rolling spring from one evaluation to the next. All zero: no history.
typedef struct sherd_rolling_history {
    sherd_vec3 normal; // of the last evaluation, towards i
    sherd_vec3 spring; // theta [rad]
    sherd_vec3 torque; // last M [N m]
} sherd_rolling_history;

typedef struct sherd_rolling_law {
    double stiffness;     // k [N m]
    double arm;           // mu_r R [m]; 0: no rolling friction
    double damping_ratio; // zeta
} sherd_rolling_law;

// Between two elements, and between an element and an obstacle.
sherd_rolling_law sherd_rolling_pair_law(const sherd_contact_pairing *pairing, double r_i,
                                         double r_j);
sherd_rolling_law sherd_rolling_face_law(const sherd_contact_pairing *pairing, double radius);

typedef struct sherd_rolling_state {
    sherd_vec3 normal;
    sherd_vec3 spin, twist;  // w_i - w_j, (w_i + w_j) / 2 [rad/s]
    double force;            // F_n [N]
    double inverse_inertia;  // 1/I_i + 1/I_j; 0: nothing turns [1/(kg m^2)]
    double weighted_inverse; // the same, each side weighted by the number of its contacts
} sherd_rolling_state;

typedef struct sherd_rolling_response {
    sherd_vec3 torque;           // on i [N m]
    double stored, damped, slid; // [J]; see sherd_contact_response
} sherd_rolling_response;

// One evaluation, dt after the last one (0: nothing has moved since).
sherd_rolling_response sherd_rolling_respond(const sherd_rolling_law *law,
                                             const sherd_rolling_state *at,
                                             sherd_rolling_history *history, double dt);

// What is lost as a contact ends: its spring's energy, less the work of the couple in the last half step [J].
double sherd_rolling_loss(double stiffness, const sherd_rolling_history *history, sherd_vec3 spin,
                          double dt);

// A spring or couple in the tangent plane, turned from one normal to another and by `angle` about that. Zero where the
// normal jumps by more than 25 degrees, from one face of an obstacle to the next.
sherd_vec3 sherd_rolling_carried(sherd_vec3 a, sherd_vec3 from, sherd_vec3 to, double angle);

static inline double sherd_rolling_energy(double stiffness, sherd_vec3 spring)
{
    return 0.5 * stiffness * vec3_dot(spring, spring);
}
