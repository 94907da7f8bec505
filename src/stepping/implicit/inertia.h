// The inertia term of an implicit step's energy, for one element:
//   c m / 2 |p - p^|^2 + 4 I c (1 - q.q^),                                  [IBDEM25] (6)
// whose gradient is c m (p - p^) and, for q <- exp(dtheta/2) q, -2 I c Im(q^ conj(q)).
#pragma once

#include "math/quat.h"
#include "math/vec3.h"
#include "stepping/implicit/scheme.h"

typedef struct sherd_inertia_potential {
    double energy;            // [J]
    sherd_vec3 force, torque; // the gradient [N], [N m]
} sherd_inertia_potential;

static inline sherd_inertia_potential
sherd_inertia_of(const sherd_scheme_target *t, const sherd_elements *e, sherd_element_index i)
{
    size_t k = (size_t)i;
    double c = t->gamma * t->gamma, mass = sherd_element_mass(e, i),
           moment = sherd_element_inertia(e, i);
    sherd_vec3 displacement = vec3_sub(sherd_element_position(e, i),
                                       vec3(t->free_p[0][k], t->free_p[1][k], t->free_p[2][k]));
    sherd_quat q = sherd_element_orientation(e, i);
    sherd_quat free = {t->free_q[0][k], t->free_q[1][k], t->free_q[2][k], t->free_q[3][k]};
    sherd_quat between = quat_multiply(free, quat_conjugate(q));
    double sign = between.w < 0.0 ? -1.0 : 1.0;
    sherd_vec3 axis = vec3_scale(sign, vec3(between.x, between.y, between.z));
    // 1 - cos = sin^2 / (1 + cos), without cancellation
    double apart = vec3_dot(axis, axis) / (1.0 + sign * between.w);
    return (sherd_inertia_potential){
        c * (0.5 * mass * vec3_dot(displacement, displacement) + 4.0 * moment * apart),
        vec3_scale(c * mass, displacement), vec3_scale(-2.0 * moment * c, axis)};
}
