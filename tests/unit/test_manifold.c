// What the algorithms of [IBDEM25] compute besides their minimisation: (31), and the printed prediction.
#include "stepping/implicit/manifold.h"

#include "math/quat.h"

#include <criterion/criterion.h>
#include <criterion/new/assert.h>
#include <math.h>

// (31), whose derivative above its bound is 0 and below it 1 / (2 sqrt(g)): second-order differences with a
// step of 1e-4 of g err by 1e-9.
Test(manifold, relative_error_is_a_half_at_most_and_falls_with_the_root)
{
    cr_assert(eq(dbl, sherd_manifold_relative_error(0.25), 0.5));
    cr_assert(eq(dbl, sherd_manifold_relative_error(1e9), 0.5));
    cr_assert(eq(dbl, sherd_manifold_relative_error(0.0), 0.0));
    const double at[] = {1e-8, 1e-3, 0.2};
    for (int k = 0; k < 3; ++k) {
        double g = at[k], h = 1e-4 * g;
        double slope =
            (sherd_manifold_relative_error(g + h) - sherd_manifold_relative_error(g - h)) /
            (2.0 * h);
        cr_assert(epsilon_eq(dbl, slope, 0.5 / sqrt(g), 1e-8 / sqrt(g)));
    }
}

// q^ = 2 q_n - q_{n-1}, normalised, lies phi' = atan(sin phi / (2 - cos phi)) beyond q_n on the sphere, with
// phi = w dt / 2: of spin (w dt / 2)^2 is lost each step. Roundings.
Test(manifold, the_printed_prediction_falls_short_of_free_spin)
{
    sherd_error error;
    sherd_elements e = {0};
    cr_assert(sherd_elements_resize(&e, 1, &error) == SHERD_OK);
    sherd_parallel parallel = {1};
    sherd_node_state now;
    sherd_scheme_target target;
    cr_assert(sherd_node_state_init(&now, 1));
    cr_assert(sherd_scheme_target_init(&target, 1));
    const double dt = 1e-3, phi = 0.1;
    sherd_quat q = quat_from_rotation_vector(vec3(0.3, -1.0, 0.7));
    sherd_element_set_pose(&e, 0, vec3(1.0, 2.0, 3.0), q);
    sherd_element_set_velocity(&e, 0, vec3(0.0, 0.0, 0.0), vec3(0.0, 0.0, 2.0 * phi / dt));
    sherd_node_state_capture(&now, &e, &parallel);
    sherd_scheme_weights weights = sherd_scheme_weigh(SHERD_SCHEME_KIND_EULER, dt, dt);
    sherd_scheme_set_target(&target, &weights, &now, &now, vec3(0.0, 0.0, 0.0), NULL, &parallel);
    sherd_manifold_predict_chord(&target, &now, &e);
    sherd_vec3 turned =
        quat_to_rotation_vector(quat_multiply(sherd_element_orientation(&e, 0), quat_conjugate(q)));
    double expected = 2.0 * atan2(sin(phi), 2.0 - cos(phi));
    cr_assert(epsilon_eq(dbl, turned.z, expected, 1e-14));
    cr_assert(epsilon_eq(dbl, 1.0 - turned.z / (2.0 * phi), phi * phi, 0.02 * phi * phi));
    cr_assert(eq(dbl, target.free_q[3][0], e.qw[0]));
    cr_assert(eq(dbl, e.px[0], 1.0));
    sherd_node_state_free(&now);
    sherd_scheme_target_free(&target);
    sherd_elements_free(&e);
}
