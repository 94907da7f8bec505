// The table of stepping methods, and a world stepped by one that only a test knows: a row here and toy_stepper.c.
#define SHERD_MORE_METHODS(ROW) ROW(TOY, toy, "symplectic Euler")
#include "stepping/stepper_table.c"

#include "physics/block.h"

#include <string.h>

static const sherd_method TOY = SHERD_METHOD_COUNT; // the next number

static sherd_world *toy_world(double height)
{
    sherd_error error;
    sherd_world_def def = sherd_world_def_default();
    def.method = TOY;
    def.threads = 1;
    sherd_world *world = sherd_world_create(&def, &error);
    cr_assert(world != NULL, "%s: %s", error.where, error.what);
    block b = block_default();
    b.size = (sherd_vec3){0.006, 0.006, 0.006};
    b.pose.position.z = height;
    b.angular_velocity = (sherd_vec3){0.0, 0.0, 3.0};
    add_block(world, &b, NULL);
    return world;
}

Test(stepper_table, every_method_has_a_row_that_is_complete)
{
    for (int m = 0; m <= SHERD_METHOD_COUNT; ++m) {
        const sherd_stepper *row = sherd_stepper_of((sherd_method)m);
        sherd_method_info info = sherd_method_describe((sherd_method)m);
        cr_assert(info.word != NULL && info.doc != NULL && strlen(info.doc) > 0);
        cr_assert(row->explicit_steps || row->implicit_steps);
        bool both = row->even_steps && row->implicit_steps;
        cr_assert(not(both));
        cr_assert(row->prepare != NULL && row->advance != NULL && row->stable_dt != NULL);
        cr_assert(row->last_dt != NULL && row->counts != NULL);
        cr_assert(row->save != NULL && row->restore != NULL);
        for (int other = 0; other < m; ++other)
            cr_assert(ne(str, (char *)info.word,
                         (char *)sherd_method_describe((sherd_method)other).word));
    }
}

Test(stepper_table, a_method_without_a_row_is_refused)
{
    cr_assert(sherd_method_describe((sherd_method)(SHERD_METHOD_COUNT + 1)).word == NULL);
    cr_assert(sherd_method_describe((sherd_method)-1).word == NULL);
    sherd_error error;
    sherd_world_def def = sherd_world_def_default();
    def.method = (sherd_method)(SHERD_METHOD_COUNT + 1);
    cr_assert(sherd_world_create(&def, &error) == NULL);
    cr_assert(eq(str, error.where, "method"));
}

// Symplectic Euler falls by g h^2 n (n + 1) / 2 in n steps; velocity Verlet by g (n h)^2 / 2.
Test(stepper_table, a_method_that_is_added_by_a_row_steps_a_world)
{
    sherd_error error;
    sherd_world *world = toy_world(1.0);
    double before = sherd_world_elements(world).z[0];
    cr_assert(eq(int, sherd_world_step(world, 40, &error), SHERD_OK), "%s", error.what);
    double h = sherd_world_time_step(world), fallen = before - sherd_world_elements(world).z[0];
    cr_assert(lt(dbl, 0.0, h));
    // Rounding of heights of 1 m and of loads in single precision; Verlet's way differs by a fortieth.
    cr_assert(epsilon_eq(dbl, fallen, 0.5 * 9.81 * h * h * 40 * 41, 1e-5 * fallen));
    cr_assert(eq(i64, sherd_world_solver_counts(world).explicit_steps, 40));
    cr_assert(eq(int, sherd_world_advance(world, 60 * h, &error), SHERD_OK), "%s", error.what);
    cr_assert(eq(i64, sherd_world_step_count(world), 60));
    sherd_world_destroy(world);
}

Test(stepper_table, a_method_that_is_added_by_a_row_is_saved_and_restored)
{
    sherd_error error;
    sherd_world *world = toy_world(1.0), *again = toy_world(1.0);
    void *state;
    size_t size;
    sherd_world_step(world, 30, &error);
    cr_assert(eq(int, sherd_world_save(world, &state, &size, &error), SHERD_OK), "%s", error.what);
    cr_assert(eq(int, sherd_world_restore(again, state, size, &error), SHERD_OK), "%s", error.what);
    sherd_world_free_state(state);
    sherd_world_step(world, 30, &error);
    sherd_world_step(again, 30, &error);
    cr_assert(eq(u64, sherd_world_state_hash(again), sherd_world_state_hash(world)));
    cr_assert(ne(u64, sherd_world_state_hash(again), 0));
    sherd_world_destroy(world);
    sherd_world_destroy(again);
}
