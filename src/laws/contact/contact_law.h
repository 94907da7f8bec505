// The force between two surfaces that touch, from overlap, velocity and history; for one contact at a
// time. The law itself, for as many as a vector holds, is in contact_respond.h.
#pragma once

#include "laws/contact/contact_potentials.h"
#include "math/vec3.h"

// The history of a touching pair from one evaluation to the next. All zero: none.
typedef struct sherd_contact_history {
    double rest_overlap; // delta_0 >= 0 [m]
    float damping;       // last normal force beyond the spring's [N]
    float pressing; // the spring's, 0: it did not press; like `damping` only to book energies [N]
    sherd_vec3 spring;     // xi, tangential [m]
    sherd_vec3 tangential; // last F_t on i [N]
} sherd_contact_history;

// And with an obstacle, where friction lags behind loads (contact_respond.h) and the normal may jump: where
// another face becomes the nearest one.
typedef struct sherd_obstacle_history {
    sherd_contact_history contact;
    double lasting; // mean normal force of the last periods of the contact; 0: it did not press [N]
    float filled;   // share of those periods that it has pressed for
    float slides;   // 1: it slid in the last evaluation
    sherd_vec3 normal;  // of the last evaluation; only to book energies
    sherd_vec3 resting; // force on an element that rests asleep, in balance with all others on it
                        // (contact/resting_load.h) [N]
} sherd_obstacle_history;

// k_t / k_r, which [BDEM21] leaves open: with it a solid sphere oscillates at the same frequency across a
// contact as along it. Grains that stick and turn against each other like gears then oscillate no faster than a
// dense pile does, and friction does not shorten explicit steps (stepping/explicit/time_step.c).
#define SHERD_CONTACT_TANGENTIAL_SHARE (2.0 / 7.0)

typedef struct sherd_contact_law {
    contact_spring spring;
    double stiffness;          // k_r [N/m]; k_t is a share of it
    double friction;           // mu
    double damping_ratio;      // zeta of the normal dashpot
    double tangential_damping; // zeta of the tangential dashpot
} sherd_contact_law;

typedef struct sherd_contact_state {
    double overlap;      // delta; negative: a gap [m]
    sherd_vec3 normal;   // n, from j to i
    sherd_vec3 velocity; // of i's surface against j's where they touch [m/s]
    double inverse_mass; // of the effective mass along n; 0 where nothing responds to forces [1/kg]
    double weighted_mobility; // the same, each side's share times the number of its contacts [1/kg]
    double
        ahead; // of the closing speed: what the normal dashpot sees beyond it, where many act as one [m/s]
} sherd_contact_state;

typedef struct sherd_contact_response {
    sherd_vec3 force;      // on i [N]
    sherd_vec3 tangential; // its part across n [N]
    double stored;         // elastic energy now [J]
    double damped, slid;   // dissipated since the last evaluation [J]
    double onset;          // taken as the contact began or ended since; below 0: given [J]
    double pending;        // part of that and of `stored` that the next step gives back [J]
} sherd_contact_response;

// The damping ratio with which a linear spring and dashpot that never pull rebound with e.
// Their exact rebound is e = exp(-(pi - 2 a) tan a) with zeta = sin a (underdamped, e > exp(-2)),
// or e = exp(-2 b coth b) with zeta = cosh b; solved for zeta by bisection.
double sherd_contact_damping_ratio(double restitution);
// And the restitution of that ratio.
double sherd_contact_restitution(double damping_ratio);

// One evaluation, dt after the last one (0: nothing moved since). Call it while it touches or its
// history isn't zero.
sherd_contact_response sherd_contact_respond(const sherd_contact_law *law,
                                             const sherd_contact_state *at,
                                             sherd_obstacle_history *history, double dt);

// Motion of a touching element relative to the obstacle's material, in the step.
typedef struct sherd_face_motion {
    sherd_vec3 velocity, spin; // of its centre against the material there [m/s], [rad/s]
    double arm;                // from its centre to where it touches [m]
} sherd_face_motion;

// The same with an obstacle. Where the normal has jumped, the work of the last forces is booked along their own normal.
sherd_contact_response sherd_contact_respond_to_face(const sherd_contact_law *law,
                                                     const sherd_contact_state *at,
                                                     const sherd_face_motion *motion,
                                                     sherd_obstacle_history *history, double dt);

static inline int contact_history_is_empty(const sherd_contact_history *h)
{
    return h->rest_overlap == 0.0 && h->damping == 0.0F && h->pressing == 0.0F &&
           h->spring.x == 0.0 && h->spring.y == 0.0 && h->spring.z == 0.0 &&
           h->tangential.x == 0.0 && h->tangential.y == 0.0 && h->tangential.z == 0.0;
}
