// Extrapolation of the previous motion over a step.
#pragma once

#include "math/quat.h"
#include "math/vec3.h"
#include "stepping/implicit/node_state.h"

typedef struct sherd_prediction {
    const sherd_node_state *now, *old; // `old` by `before` earlier
    double dt, before;                 // [s]; before = 0: `old` is unknown
    sherd_vec3 gravity;
} sherd_prediction;

// Displacement of element k with the acceleration of its last two velocities, or that of gravity.
static inline sherd_vec3 sherd_predict_move(const sherd_prediction *in, size_t k)
{
    sherd_vec3 v = sherd_node_velocity(in->now, k);
    if (!(in->before > 0.0))
        return vec3_scale(in->dt, vec3_add_scaled(v, 0.5 * in->dt, in->gravity));
    sherd_vec3 change = vec3_sub(v, sherd_node_velocity(in->old, k));
    return vec3_scale(in->dt, vec3_add_scaled(v, 0.5 * in->dt / in->before, change));
}

static inline void sherd_predict(const sherd_prediction *in, size_t k, sherd_vec3 *p, sherd_quat *q)
{
    double dt = in->dt;
    sherd_vec3 w = sherd_node_spin(in->now, k);
    if (in->before > 0.0) {
        double half = 0.5 * dt / in->before;
        w = vec3_add_scaled(w, half, vec3_sub(w, sherd_node_spin(in->old, k)));
    }
    *p = vec3_add(sherd_node_position(in->now, k), sherd_predict_move(in, k));
    *q = quat_normalize(quat_multiply(quat_from_rotation_vector(vec3_scale(dt, w)),
                                      sherd_node_orientation(in->now, k)));
}
