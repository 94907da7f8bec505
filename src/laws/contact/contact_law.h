// The force between two surfaces in contact, from overlap, velocity and history, for single
// contacts. The law itself, for vectors of contacts, is in contact_respond.h.
#pragma once

#include "laws/contact/contact_potentials.h"
#include "math/vec3.h"

// The history of a pair in contact from one evaluation to the next. All zero: no history.
typedef struct sherd_contact_history {
    double rest_overlap; // initial overlap without force, delta_0 >= 0 [m]
    float damping;       // last normal force minus the spring's [N]
    float pressing; // last spring force, 0: no contact; like `damping` only used for energies [N]
    sherd_vec3 spring;     // xi, tangential [m]
    sherd_vec3 tangential; // last F_t on i [N]
} sherd_contact_history;

// The same for contact with an obstacle, where friction lags behind the normal force
// (contact_respond.h) and the normal may jump: when another face becomes the nearest one.
typedef struct sherd_obstacle_history {
    sherd_contact_history contact;
    double lasting;     // mean normal force over the last periods of the contact; 0: no contact [N]
    float filled;       // fraction of those periods during which there was contact
    float slides;       // 1: it slid in the last evaluation
    sherd_vec3 normal;  // of the last evaluation; only used for energies
    sherd_vec3 resting; // force on an element that rests asleep, in balance with all others on it
                        // (contact/resting_load.h) [N]
} sherd_obstacle_history;

// k_t / k_r, which [BDEM21] does not specify: with this ratio a solid sphere oscillates at the same
// frequency along and across a contact. Then grains that stick and rotate against each other
// oscillate no faster than a dense pile does, and friction does not shorten explicit steps
// (stepping/explicit/time_step.c).
#define SHERD_CONTACT_TANGENTIAL_RATIO (2.0 / 7.0)

typedef struct sherd_contact_law {
    contact_spring spring;
    double stiffness;          // k_r [N/m]; k_t is a fraction of it
    double friction;           // mu
    double damping_ratio;      // zeta of the normal dashpot
    double tangential_damping; // zeta of the tangential dashpot
} sherd_contact_law;

typedef struct sherd_contact_state {
    double overlap;      // delta; negative: a gap [m]
    sherd_vec3 normal;   // n, from j to i
    sherd_vec3 velocity; // of i's surface relative to j's at the contact [m/s]
    double inverse_mass; // of the effective mass along n; 0: nothing moves [1/kg]
    // the same, with each side weighted by the number of its contacts [1/kg]
    double weighted_mobility;
    double
        ahead; // of the closing speed: what the normal dashpot sees beyond it, where many act as one [m/s]
} sherd_contact_state;

typedef struct sherd_contact_response {
    sherd_vec3 force;      // on i [N]
    sherd_vec3 tangential; // its component tangential to the contact [N]
    double stored;         // elastic energy now [J]
    double damped, slid;   // dissipated since the last evaluation [J]
    double onset;          // taken since, as the contact began or ended; below 0: released [J]
    double pending;        // part of `onset` and `stored` that the next step gives back [J]
} sherd_contact_response;

// The damping ratio of a linear spring and dashpot without adhesion that rebound with e. Their
// exact rebound is e = exp(-(pi - 2 a) tan a) with zeta = sin a (underdamped, e > exp(-2)), or e =
// exp(-2 b coth b) with zeta = cosh b; solved for zeta by bisection.
double sherd_contact_damping_ratio(double restitution);
// The restitution for a damping ratio, the inverse function.
double sherd_contact_restitution(double damping_ratio);

// One evaluation, dt after the last one (0: nothing has moved since). Call it while there is
// contact or the history is not zero.
sherd_contact_response sherd_contact_respond(const sherd_contact_law *law,
                                             const sherd_contact_state *at,
                                             sherd_obstacle_history *history, double dt);

// Motion of an element in contact relative to the obstacle's material, in the step.
typedef struct sherd_face_motion {
    sherd_vec3 velocity, spin; // of its centre relative to the material there [m/s], [rad/s]
    double arm;                // from its centre to the contact [m]
} sherd_face_motion;

// The same with an obstacle. If the normal has jumped, the work of the last forces is computed
// along their own normal.
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

// ---------------------------------------------------------------- parameters, computed once

// Contact parameters of one material.
typedef struct sherd_contact_material {
    double youngs_modulus;                  // E [Pa]
    double friction;                        // mu
    double rolling_friction;                // mu_r (rolling_law.h)
    double restitution;                     // e in (0, 1]
    sherd_contact_potential_kind potential; // the same for all materials
    double poissons_ratio;                  // nu in [0, 0.5], for potentials that use it
    // of the barrier, > 0 for potentials that have one, the same for all materials [m]
    double width;
    bool walled; // the barrier is infinite, so explicit steps are not possible; the same for all
    // > 0: barriers are finite beyond this fraction of their width (contact_barrier.h); the same for all
    double barrier_limit;
    // E in contacts, > 0; 0: youngs_modulus. The speed of waves is that of youngs_modulus [Pa]
    double contact_modulus;
} sherd_contact_material;

static inline double sherd_contact_modulus(const sherd_contact_material *material)
{
    return material->contact_modulus > 0.0 ? material->contact_modulus : material->youngs_modulus;
}

typedef struct sherd_contact_pairing {
    sherd_contact_potential_kind potential;
    double width; // [m]
    bool walled;
    double barrier_limit;
    double modulus;       // E_eff [Pa]
    double plane_modulus; // the same of E/(1 - nu^2) [Pa]
    double friction, damping_ratio, tangential_damping;
    double rolling_friction;
} sherd_contact_pairing;

// E_eff = 2 E_a E_b / (E_a + E_b): springs in series, as in a bond of two materials; geometric
// means of friction, rolling friction and restitution.
sherd_contact_pairing sherd_contact_pairing_of(const sherd_contact_material *a,
                                               const sherd_contact_material *b);

// Stiffness between two spheres, and between a sphere and a flat face.  [BDEM21] (22): k_r = E pi
// r^2 / (r_i + r_j) with the smaller radius, as of a bond. A face acts as the sphere's mirror
// image, half a bond's length away. Hertz's spring is then that of a rigid sphere of infinite
// radius: 4/3 E/(1 - nu^2) sqrt(r).
double sherd_contact_pair_stiffness(const sherd_contact_pairing *pairing, double r_i, double r_j);
double sherd_contact_face_stiffness(const sherd_contact_pairing *pairing, double radius);
contact_spring sherd_contact_pair_spring(const sherd_contact_pairing *pairing, double r_i,
                                         double r_j);
contact_spring sherd_contact_face_spring(const sherd_contact_pairing *pairing, double radius);
