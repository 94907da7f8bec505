// Friction as a change of velocities, [IBDEM25] (34), (35): against its potential, and its bounds.
#include "laws/contact/velocity_friction.h"

#include <criterion/criterion.h>
#include <criterion/new/assert.h>

static const double MU = 0.3, FORCE = 7.0, DT = 1e-3, MASS = 0.02;

// D = mu |F| dt / m |v|
static double potential(sherd_vec3 v)
{
    return MU * FORCE * DT / MASS * vec3_length(v);
}

// Fourth-order differences of a function whose second derivative is D / |v|^2 = 0.04: errors of h^4 and of
// rounding / h are both below 1e-11.
Test(velocity_friction, sliding_is_minus_the_derivative_of_its_potential)
{
    const double h = 1e-3;
    const sherd_vec3 v = vec3(1.1, -0.7, 0.4);
    sherd_vec3 change = sherd_sliding_change(MU, FORCE, DT, MASS, v);
    const double got[3] = {change.x, change.y, change.z};
    for (int c = 0; c < 3; ++c) {
        sherd_vec3 e = vec3(c == 0, c == 1, c == 2);
        double slope = 0.0;
        static const double WEIGHTS[4] = {1.0, -8.0, 8.0, -1.0}, AT[4] = {-2.0, -1.0, 1.0, 2.0};
        for (int k = 0; k < 4; ++k)
            slope += WEIGHTS[k] * potential(vec3_add_scaled(v, AT[k] * h, e)) / (12.0 * h);
        cr_assert(epsilon_eq(dbl, got[c], -slope, 1e-10));
    }
}

// Roundings of a handful of operations.
Test(velocity_friction, rolling_is_coulombs_torque_and_the_bound_is_a_stop)
{
    const double radius = 0.01, inertia = 0.4 * MASS * radius * radius;
    const sherd_vec3 spin = vec3(0.0, 300.0, 0.0);
    sherd_vec3 dw = sherd_rolling_change(MU, FORCE, radius, DT, inertia, spin);
    double expected = MU * FORCE * radius * DT / inertia;
    cr_assert(lt(dbl, expected, 300.0));
    cr_assert(epsilon_eq(dbl, dw.y, -expected, 1e-12 * expected));
    dw = sherd_rolling_change(MU, 100.0 * FORCE, radius, DT, inertia, spin);
    cr_assert(eq(dbl, dw.y, -300.0));
    sherd_vec3 still = vec3(0.0, 0.0, 0.0);
    cr_assert(eq(dbl, vec3_length(sherd_sliding_change(MU, FORCE, DT, MASS, still)), 0.0));
}

Test(velocity_friction, a_change_counts_along_the_velocity_and_at_most_stops_it)
{
    const sherd_vec3 v = vec3(2.0, 0.0, 0.0);
    sherd_vec3 part = sherd_along_velocity(v, vec3(-0.5, 3.0, 0.0));
    cr_assert(eq(dbl, part.x, -0.5));
    cr_assert(eq(dbl, part.y, 0.0));
    part = sherd_along_velocity(v, vec3(-9.0, 1.0, 1.0));
    cr_assert(eq(dbl, part.x, -2.0));
    // What rests is not set in motion.
    part = sherd_along_velocity(vec3(0.0, 0.0, 0.0), vec3(1.0, 0.0, 0.0));
    cr_assert(eq(dbl, vec3_length(part), 0.0));
}
