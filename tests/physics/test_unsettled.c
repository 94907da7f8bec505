// Implicit steps whose friction does not settle are counted (sherd_solver_counts.unsettled_steps).
#include "physics/methods.h"

#include <sherd/scene.h>

static const stepping CHOSEN = {SHERD_METHOD_IMPLICIT, 0.0, SHERD_SCHEME_AUTO};

// The hourglass with a few large elements: sand between walls of elements.
static sherd_world *hourglass(sherd_scene_build *build)
{
    const char *const coarse[] = {"solver.method=implicit", "bodies.glass.packing.hcp.radius=3",
                                  "bodies.sand.packing.cubic.radius=2"};
    sherd_diagnostics diagnostics = {0};
    sherd_error error;
    sherd_scene_options options = {.override_count = 3, .overrides = coarse};
    sherd_scene *scene =
        sherd_scene_load(SHERD_TEST_SOURCE_DIR "/../scenes/hourglass.yaml", &options, &diagnostics);
    cr_assert(scene != NULL);
    sherd_world *world = sherd_scene_create_world(scene, 2, build, &error);
    cr_assert(world != NULL, "%s", error.what);
    sherd_scene_destroy(scene);
    return world;
}

Test(unsettled, steps_are_counted_where_sand_is_caught_and_the_count_is_saved)
{
    sherd_error error;
    sherd_scene_build build = {0}, other = {0};
    sherd_world *world = hourglass(&build), *again = hourglass(&other);
    advance(world, 2e-3);
    sherd_solver_counts counts = sherd_world_solver_counts(world);
    cr_assert(lt(i64, 0, counts.unsettled_steps));
    cr_assert(le(i64, counts.unsettled_steps, counts.implicit_steps));
    void *state;
    size_t size;
    cr_assert(eq(int, sherd_world_save(world, &state, &size, &error), SHERD_OK), "%s", error.what);
    cr_assert(eq(int, sherd_world_restore(again, state, size, &error), SHERD_OK), "%s", error.what);
    sherd_world_free_state(state);
    cr_assert(eq(i64, sherd_world_solver_counts(again).unsettled_steps, counts.unsettled_steps));
    sherd_world_destroy(world);
    sherd_world_destroy(again);
    sherd_scene_build_free(&build);
    sherd_scene_build_free(&other);
}

static sherd_solver_counts slide(double speed)
{
    block b = block_default();
    b.size = (sherd_vec3){0.012, 0.012, 0.004};
    b.material.youngs_modulus = 1e7;
    b.material.shear_modulus = 4e6;
    b.material.friction = 0.4;
    b.pose.position.z = 0.003;
    b.velocity.x = speed;
    sherd_world *world = world_by(CHOSEN, (sherd_vec3){0, 0, -9.81});
    add_block(world, &b, NULL);
    add_floor(world, NAN);
    advance(world, 0.05);
    sherd_solver_counts counts = sherd_world_solver_counts(world);
    sherd_world_destroy(world);
    return counts;
}

// One step in 900 (16 of 14567, by gcc) or in 560 (13 of 7267, by clang) does not, and which one depends on rounding.
// Two and a half times as many as by both may: of 6 expected in sixteen slides 12.
Test(unsettled, a_block_that_slides_settles_in_nearly_every_step)
{
    int64_t steps = 0, unsettled = 0;
    for (int k = 0; k < 16; ++k) {
        sherd_solver_counts counts = slide(0.5 * (1.0 + 0.001 * k));
        steps += counts.implicit_steps, unsettled += counts.unsettled_steps;
    }
    cr_assert(lt(i64, 0, steps));
    cr_assert(le(i64, unsettled, steps / 300));
}
