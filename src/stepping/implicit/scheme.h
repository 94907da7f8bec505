// Integration schemes of implicit steps, all in one form.    docs/theory/physics.md 1, 4
//
// A step minimises, over positions p and orientations q of all elements,
//
//   sum  c m / 2 |p - p^|^2  +  4 I c (1 - q . q^)  +  bonds + contacts        [IBDEM25] (6)
//
// about a free motion (p^, q^) that the scheme predicts from previous states, geodesic in q; then
//   v = gamma (p - p_v),   w = gamma log(q conj(q_v)),   c = gamma^2.
//
//   euler     gamma = 1/dt, (p_v, q_v) = state n, p^ = p_n + dt v_n + dt^2 g. First order.
//   bdf2      gamma from the lengths of two steps, in any ratio; p_v, q_v and the velocity in p^ are
//             weighted sums of states n and n - 1. L-stable, second order; exact for constant
//             acceleration
//   midpoint  euler to the middle of the step, then on by the same increments: [IBDEM25] (2)-(3)
//
//   linear_euler  euler, of which one Newton iteration is made                 [RBDEM] Algorithm 1
//
//   left_point  the weights of euler, with the loads of state n: explicit       [VBDEM] (24)
//
// External accelerations are gravity and forces of drivers.
#pragma once

#include "stepping/implicit/node_state.h"

typedef enum sherd_scheme_kind {
    SHERD_SCHEME_KIND_EULER,
    SHERD_SCHEME_KIND_BDF2,
    SHERD_SCHEME_KIND_MIDPOINT,
    SHERD_SCHEME_KIND_LEFT_POINT,
    SHERD_SCHEME_KIND_LINEAR_EULER,
} sherd_scheme_kind;

// True if a step's change of momentum is that by the loads at its end.
static inline bool sherd_scheme_is_euler(sherd_scheme_kind kind)
{
    return kind == SHERD_SCHEME_KIND_EULER || kind == SHERD_SCHEME_KIND_LINEAR_EULER;
}

// The time after the start of a step at which loads are evaluated.
static inline double sherd_scheme_evaluated_at(sherd_scheme_kind kind, double dt)
{
    return kind == SHERD_SCHEME_KIND_MIDPOINT ? 0.5 * dt : dt;
}

// The weights of one step of length dt that follows one of length `before` (BDF2 only).
typedef struct sherd_scheme_weights {
    double gamma;    // [1/s]
    double now, old; // p_v = now p_n + old p_{n-1}, the same for v; their sum is 1
} sherd_scheme_weights;

sherd_scheme_weights sherd_scheme_weigh(sherd_scheme_kind kind, double dt, double before);

// Accelerations a that are known in advance change velocities by exactly their integral if a step
// uses their mean a over itself, plus this fraction of its difference from the mean b over the step
// before: BDF2's two integrals,
//   a_{n+1} = gamma (dt a + old before b) = a + r / (1 + r) (a - b),   r = dt / before.
double sherd_scheme_external_extra(sherd_scheme_kind kind, double dt, double before);

// The target (p^, q^) of a step.
typedef struct sherd_scheme_target {
    double gamma;
    double *free_p[3], *free_q[4]; // p^, q^   (n)
    double *from_p[3], *from_q[4]; // p_v, q_v (n)
    double *memory;                // owned
} sherd_scheme_target;

bool sherd_scheme_target_init(sherd_scheme_target *target, sherd_element_index count);
void sherd_scheme_target_free(sherd_scheme_target *target);
size_t sherd_scheme_target_bytes(sherd_element_index count);

// Sets the target from state `now` (and `old`, BDF2 only). external[c] are accelerations (n) in
// addition to gravity, or NULL.
void sherd_scheme_set_target(sherd_scheme_target *target, const sherd_scheme_weights *weights,
                             const sherd_node_state *now, const sherd_node_state *old,
                             sherd_vec3 gravity, double *const external[3],
                             const sherd_parallel *parallel);

// Sets the velocities that belong to the elements' poses.
void sherd_scheme_velocities(const sherd_scheme_target *target, sherd_elements *elements,
                             const sherd_parallel *parallel);
