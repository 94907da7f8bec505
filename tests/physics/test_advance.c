// Stepping by time.
#include "physics/block.h"

#include <string.h>

static sherd_world *falling_block(void)
{
    sherd_world *world = world_with((sherd_vec3){0.0, 0.0, -9.81}, 2);
    block b = block_default();
    b.size = (sherd_vec3){0.01, 0.01, 0.01};
    b.pose.position.z = 0.0055;
    b.velocity.z = -1.0;
    add_block(world, &b, NULL);
    add_floor(world, NAN);
    return world;
}

static void advance(sherd_world *world, double until)
{
    sherd_error error;
    cr_assert(eq(int, sherd_world_advance(world, until, &error), SHERD_OK), "%s: %s", error.where,
              error.what);
}

Test(advance, in_pieces_gives_the_same_bits_as_counted_steps)
{
    sherd_error error;
    sherd_world *counted = falling_block(), *timed = falling_block();
    double dt = 0.5 * sherd_world_stable_time_step(counted, &error);
    sherd_world_set_time_step(counted, dt, &error);
    sherd_world_set_time_step(timed, dt, &error);
    sherd_world_step(counted, 300, &error);
    advance(timed, 100 * dt);
    advance(timed, 100 * dt); // no time to pass
    advance(timed, 300 * dt);
    cr_assert(eq(i64, sherd_world_step_count(timed), 300));
    cr_assert(eq(dbl, sherd_world_time(timed), sherd_world_time(counted)));
    cr_assert(eq(u64, sherd_world_state_hash(timed), sherd_world_state_hash(counted)));
    sherd_solver_counts counts = sherd_world_solver_counts(timed);
    cr_assert(eq(i64, counts.explicit_steps, 300));
    cr_assert(eq(i64, counts.implicit_steps + counts.newton_iterations, 0));
    sherd_world_destroy(counted);
    sherd_world_destroy(timed);
}

Test(advance, a_first_step_that_nobody_fixed_is_shortened_to_fit)
{
    sherd_world *world = falling_block();
    double until = 10.3 * default_step(world);
    advance(world, until);
    cr_assert(eq(i64, sherd_world_step_count(world), 11));
    cr_assert(epsilon_eq(dbl, sherd_world_time(world), until, 1e-15 * until)); // a rounding or two
    sherd_world_destroy(world);
}

Test(advance, times_it_can_not_reach_are_refused)
{
    sherd_error error;
    sherd_world *world = falling_block();
    sherd_world_set_time_step(world, 1e-6, &error);
    advance(world, 1e-5);
    uint64_t hash = sherd_world_state_hash(world);
    const double wrong[] = {1.05e-5, 9e-6, -1.0, NAN, INFINITY, 1e300};
    for (size_t k = 0; k < sizeof wrong / sizeof wrong[0]; ++k) {
        cr_assert(eq(int, sherd_world_advance(world, wrong[k], &error), SHERD_ERROR_INPUT));
        cr_assert(eq(str, error.where, "until"));
    }
    cr_assert(eq(u64, sherd_world_state_hash(world), hash));
    sherd_world_destroy(world);
}

Test(advance, definitions_of_implicit_steps_are_checked)
{
    sherd_error error;
    for (int k = 0; k < 6; ++k) {
        sherd_world_def def = sherd_world_def_default();
        const char *where[] = {"method",   "scheme",
                               "accuracy", "time_step_in_limits",
                               "accuracy", "time_step_in_limits"};
        if (k == 0) def.method = (sherd_method)3;
        if (k == 1) def.scheme = (sherd_scheme)9;
        if (k == 2) def.accuracy = 0.0;
        if (k == 3) def.time_step_in_limits = -1.0;
        if (k == 4) def.accuracy = NAN;
        if (k == 5) def.time_step_in_limits = 50.0; // for explicit steps
        cr_assert(eq(ptr, sherd_world_create(&def, &error), NULL));
        cr_assert(eq(str, error.where, (char *)where[k]));
    }
}
