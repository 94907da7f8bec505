// Tensors of inertia: symmetric, as xx yy zz xy xz yz.
#pragma once

#include "math/vec3.h"

// Adds a mass at r with the moment of inertia `moment` about its centre: m (r^2 - r r) + moment.
static inline void inertia_add(double a[6], double mass, double moment, sherd_vec3 r)
{
    double r2 = vec3_dot(r, r);
    a[0] += mass * (r2 - r.x * r.x) + moment;
    a[1] += mass * (r2 - r.y * r.y) + moment;
    a[2] += mass * (r2 - r.z * r.z) + moment;
    a[3] -= mass * r.x * r.y;
    a[4] -= mass * r.x * r.z;
    a[5] -= mass * r.y * r.z;
}

static inline sherd_vec3 inertia_multiply(const double a[6], sherd_vec3 x)
{
    return vec3(a[0] * x.x + a[3] * x.y + a[4] * x.z, a[3] * x.x + a[1] * x.y + a[5] * x.z,
                a[4] * x.x + a[5] * x.y + a[2] * x.z);
}

// Solves A x = b, A positive definite, by the adjugate.
static inline sherd_vec3 inertia_solve(const double a[6], sherd_vec3 b)
{
    double adjugate[6] = {a[1] * a[2] - a[5] * a[5], a[0] * a[2] - a[4] * a[4],
                          a[0] * a[1] - a[3] * a[3], a[4] * a[5] - a[3] * a[2],
                          a[3] * a[5] - a[4] * a[1], a[3] * a[4] - a[0] * a[5]};
    double determinant = a[0] * adjugate[0] + a[3] * adjugate[3] + a[4] * adjugate[4];
    return vec3_scale(1.0 / determinant, inertia_multiply(adjugate, b));
}
