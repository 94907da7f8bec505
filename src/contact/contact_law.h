// The force between two surfaces that touch: a pure function of overlap, velocity and history.
//                                                                       [BDEM21] (21)-(27)
//   normal       F_n = k (delta - delta_0) + c v_close, never attractive        [N]
//   tangential   F_t = -k xi - c_t v_t, |F_t| <= mu F_n                          [N]
//
// n points from j to i; forces are those on i. Beyond the paper: dashpots (from a restitution), a
// rest overlap delta_0 for pairs that overlap before they push, and an exact account of energy:
// velocity Verlet changes the kinetic energy by the trapezoid 1/2 (F_old + F_new) . v_half dt, so
// the history keeps the last damping and tangential forces to book the same sums.
#pragma once

#include "math/vec3.h"

// What a touching pair remembers from one evaluation to the next. All zero: nothing to remember.
typedef struct sherd_contact_history {
    double rest_overlap;   // delta_0 >= 0 [m]
    double damping;        // last normal force beyond the spring's [N]
    sherd_vec3 spring;     // xi, tangential [m]
    sherd_vec3 tangential; // last F_t on i [N]
} sherd_contact_history;

typedef struct sherd_contact_law {
    double stiffness;          // k = k_r = k_t [N/m]
    double friction;           // mu
    double damping_ratio;      // zeta of the normal dashpot
    double tangential_damping; // zeta of the tangential dashpot
} sherd_contact_law;

typedef struct sherd_contact_state {
    double overlap;         // delta; negative: a gap [m]
    sherd_vec3 normal;      // n
    sherd_vec3 velocity;    // of i's surface against j's where they touch [m/s]
    double mass;            // effective mass along n [kg], may be INFINITY
    double tangential_mass; // effective mass across n, rotations included [kg]
} sherd_contact_state;

typedef struct sherd_contact_response {
    sherd_vec3 force;      // on i [N]
    sherd_vec3 tangential; // its part across n [N]
    double stored;         // elastic energy now [J]
    double damped, slid;   // dissipated since the last evaluation [J]
} sherd_contact_response;

// The damping ratio with which a linear spring and dashpot that never pull rebound with e.
// Their exact rebound is e = exp(-(pi - 2 a) tan a) with zeta = sin a (underdamped, e > exp(-2)),
// or e = exp(-2 b coth b) with zeta = cosh b; solved for zeta by bisection.
double sherd_contact_damping_ratio(double restitution);

// 2 zeta sqrt(k m), weakened so that the dashpot acts as if its velocity were centred in the step:
// exact for a lone pair, and keeps a large c from overshooting. Nothing to damp without mass.
static inline double contact_dashpot(double zeta, double k, double mass, double dt)
{
    if (!(mass < INFINITY)) return 0.0;
    double c = 2.0 * zeta * sqrt(k * mass);
    return c / (1.0 + 0.5 * c * dt / mass);
}

// Energy of the tangential spring and what left it, when a contact ends.
static inline sherd_contact_response contact_release(const sherd_contact_law *law,
                                                     const sherd_contact_state *at,
                                                     sherd_contact_history *history, double dt)
{
    sherd_contact_response out = {.force = {0.0, 0.0, 0.0}};
    double closing = -vec3_dot(at->velocity, at->normal);
    out.damped = 0.5 * dt * history->damping * closing;
    out.slid = 0.5 * law->stiffness * vec3_dot(history->spring, history->spring) -
               0.5 * dt * vec3_dot(history->tangential, at->velocity);
    history->damping = 0.0;
    history->spring = history->tangential = vec3(0.0, 0.0, 0.0);
    return out;
}

// [BDEM21] (23)-(27): advances the friction spring by v_t dt and limits it. Returns F_t on i.
static inline sherd_vec3 contact_friction(const sherd_contact_law *law,
                                          const sherd_contact_state *at,
                                          sherd_contact_history *history, double limit,
                                          double closing, double dt, sherd_contact_response *energy)
{
    double k = law->stiffness;
    sherd_vec3 v_t = vec3_add_scaled(at->velocity, closing, at->normal);
    double before = 0.5 * k * vec3_dot(history->spring, history->spring);
    sherd_vec3 spring = vec3_add_scaled(history->spring, -vec3_dot(history->spring, at->normal),
                                        at->normal); // (23)
    spring = vec3_add_scaled(spring, dt, v_t);       // (24)
    double c = contact_dashpot(law->tangential_damping, k, at->tangential_mass, dt);
    sherd_vec3 force = vec3_add(vec3_scale(-k, spring), vec3_scale(-c, v_t)); // (26)
    double size = vec3_length(force);
    int slides = size > limit;
    if (slides) { // (27)
        force = vec3_scale(limit / size, force);
        spring = vec3_scale(-1.0 / k, force);
    }
    double after = 0.5 * k * vec3_dot(spring, spring);
    double lost = before - after - 0.5 * dt * vec3_dot(vec3_add(history->tangential, force), v_t);
    *(slides ? &energy->slid : &energy->damped) += lost;
    energy->stored += after;
    history->spring = spring;
    history->tangential = force;
    return force;
}

// One evaluation, dt after the last one (0: nothing moved since). Call it while the pair touches
// or its history isn't zero.
static inline sherd_contact_response contact_respond(const sherd_contact_law *law,
                                                     const sherd_contact_state *at,
                                                     sherd_contact_history *history, double dt)
{
    // The rest overlap is given up as the pair separates.
    if (at->overlap < history->rest_overlap)
        history->rest_overlap = at->overlap > 0.0 ? at->overlap : 0.0;
    double pressed = at->overlap - history->rest_overlap;
    if (!(pressed > 0.0)) return contact_release(law, at, history, dt);

    sherd_contact_response out = {.force = {0.0, 0.0, 0.0}};
    double closing = -vec3_dot(at->velocity, at->normal);
    double spring_force = law->stiffness * pressed; // (22)
    double c = contact_dashpot(law->damping_ratio, law->stiffness, at->mass, dt);
    double normal_force = spring_force + c * closing;
    if (normal_force < 0.0) normal_force = 0.0;
    double damping = normal_force - spring_force;
    out.damped = 0.5 * dt * (history->damping + damping) * closing;
    out.stored = 0.5 * spring_force * pressed;
    history->damping = damping;
    out.tangential =
        contact_friction(law, at, history, law->friction * normal_force, closing, dt, &out);
    out.force = vec3_add_scaled(out.tangential, normal_force, at->normal);
    return out;
}

static inline int contact_history_is_empty(const sherd_contact_history *h)
{
    return h->rest_overlap == 0.0 && h->damping == 0.0 && h->spring.x == 0.0 &&
           h->spring.y == 0.0 && h->spring.z == 0.0 && h->tangential.x == 0.0 &&
           h->tangential.y == 0.0 && h->tangential.z == 0.0;
}
