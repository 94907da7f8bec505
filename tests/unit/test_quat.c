// Rotation vectors to quaternions and back: series for small angles against the library's functions.
#include "math/quat.h"

#include <criterion/criterion.h>
#include <criterion/new/assert.h>

static sherd_quat by_library(sherd_vec3 theta)
{
    double angle = vec3_length(theta), s = sin(0.5 * angle) / angle;
    return quat(s * theta.x, s * theta.y, s * theta.z, cos(0.5 * angle));
}

// Angles from 1e-6 to 3.1, densest where series take over at 0.2 and 0.1. Roundings of some operations.
Test(quat, rotation_vectors_go_there_and_back)
{
    const double rounding = 4e-16;
    for (int k = 0; k <= 4000; ++k) {
        double angle = k < 1000   ? pow(10.0, -6.0 + k * 5.0 / 1000.0)
                       : k < 3000 ? 0.05 + (k - 1000) * 1e-4
                                  : 0.25 + (k - 3000) * 2.85e-3;
        sherd_vec3 theta =
            vec3_scale(angle, vec3_normalize(vec3(1.0, 2.0 - k % 5, -0.7 * (k % 3))));
        sherd_quat q = quat_from_rotation_vector(theta), exact = by_library(theta);
        double off = fmax(fmax(fabs(q.x - exact.x), fabs(q.y - exact.y)),
                          fmax(fabs(q.z - exact.z), fabs(q.w - exact.w)));
        cr_assert(le(dbl, off, rounding), "%g", angle);
        sherd_vec3 back = quat_to_rotation_vector(q);
        // Near pi an angle is found from a sine that hardly tells it, and the cosine.
        cr_assert(le(dbl, vec3_length(vec3_sub(back, theta)), 4.0 * rounding * fmax(angle, 1e-3)),
                  "%g", angle);
        sherd_quat minus = {-q.x, -q.y, -q.z, -q.w};
        sherd_vec3 same = quat_to_rotation_vector(minus);
        cr_assert(le(dbl, vec3_length(vec3_sub(same, back)), 0.0));
    }
    sherd_vec3 none = quat_to_rotation_vector(quat_from_rotation_vector(vec3(0.0, 0.0, 0.0)));
    cr_assert(eq(dbl, vec3_length(none), 0.0));
}
