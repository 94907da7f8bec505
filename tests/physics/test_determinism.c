// The same bits for every number of threads and after a restart; instability is reported.
#include "physics/block.h"

#include <string.h>

// With jitter all bonds differ and are loose, otherwise most are in packets.
static sherd_world *with_breaking_blocks(sherd_world *world, double jitter)
{
    block b = block_default();
    b.size = (sherd_vec3){0.05, 0.05, 0.006}; // several blocks and chunks of elements
    b.jitter = jitter;
    b.material.youngs_modulus = 1e8;
    b.material.shear_modulus = 4e7;
    b.material.tensile_strength = 4e5;
    b.material.shear_strength = 5e5;
    b.material.weibull_modulus = 8;
    b.pose.position.z = 0.0125;
    b.pose.rotation = (sherd_quat){sin(0.12), 0.0, 0.0, cos(0.12)};
    b.velocity.z = -5.0;
    add_block(world, &b, NULL);
    b.pose.position = (sherd_vec3){0.0, 0.0, 0.03}; // falls onto the first
    add_block(world, &b, NULL);
    add_floor(world, NAN);
    return world;
}

static sherd_world *breaking_world(int threads, double jitter)
{
    return with_breaking_blocks(world_with((sherd_vec3){0, 0, -9.81}, threads), jitter);
}

// Nothing ever sleeps in it.
static sherd_world *sleepless_world(void)
{
    sherd_error error;
    sherd_world_def def = sherd_world_def_default();
    def.threads = 2;
    def.sleep = false;
    return with_breaking_blocks(sherd_world_create(&def, &error), 0.0);
}

static void check_threads(double jitter)
{
    uint64_t first = 0;
    const int counts[] = {1, 2, 3, 8};
    for (int k = 0; k < 4; ++k) {
        int threads = counts[k];
        sherd_world *world = breaking_world(threads, jitter);
        run_steps(world, 1200);
        cr_assert(sherd_world_bonds(world).broken_count > 100);
        uint64_t hash = sherd_world_state_hash(world);
        if (threads == 1) first = hash;
        cr_assert(eq(u64, hash, first), "%d threads", threads);
        sherd_world_destroy(world);
    }
}

Test(determinism, threads_do_not_matter)
{
    check_threads(0.0);
    check_threads(1e-3);
}

static void check_restored(double jitter)
{
    sherd_error error;
    sherd_world *straight = breaking_world(2, jitter), *again = breaking_world(3, jitter);
    run_steps(straight, 700); // in the middle of breaking
    void *state;
    size_t size;
    cr_assert(eq(int, sherd_world_save(straight, &state, &size, &error), SHERD_OK));
    run_steps(straight, 500);
    cr_assert(eq(int, sherd_world_restore(again, state, size, &error), SHERD_OK), "%s", error.what);
    run_steps(again, 500);
    cr_assert(eq(u64, sherd_world_state_hash(again), sherd_world_state_hash(straight)));
    sherd_energy a = sherd_world_energy(straight), b = sherd_world_energy(again);
    cr_assert(memcmp(&a, &b, sizeof a) == 0);
    // Damaged states are refused.
    cr_assert(eq(int, sherd_world_restore(again, state, size / 2, &error), SHERD_ERROR_INPUT));
    sherd_world_free_state(state);
    sherd_world_destroy(straight);
    sherd_world_destroy(again);
}

// Loose bonds lose their places now and then as they break; where they are says in which order loads
// are added.
Test(determinism, restored_runs_continue_bit_for_bit)
{
    check_restored(0.0);
    check_restored(1e-3);
}

// The second half of a step's kick is put off to the next step, which has no effect.
Test(determinism, one_step_at_a_time_is_the_same)
{
    sherd_world *straight = breaking_world(2, 0.0), *again = breaking_world(2, 0.0);
    run_steps(straight, 600);
    for (int k = 0; k < 600; ++k)
        run_steps(again, 1);
    cr_assert(sherd_world_bonds(straight).broken_count > 100);
    cr_assert(eq(u64, sherd_world_state_hash(again), sherd_world_state_hash(straight)));
    sherd_energy a = sherd_world_energy(straight), b = sherd_world_energy(again);
    cr_assert(memcmp(&a, &b, sizeof a) == 0);
    sherd_world_destroy(straight);
    sherd_world_destroy(again);
}

// With a driver, and be it a probe, elements drift before bonds are computed instead of as they are,
// and contacts measure all displacements in every step instead of when they may matter.
Test(determinism, a_probe_changes_nothing)
{
    sherd_error error;
    sherd_world *without = sleepless_world(), *with = sleepless_world();
    sherd_driver_def probe = sherd_driver_def_default();
    probe.drive = SHERD_DRIVE_NONE;
    cr_assert(sherd_world_add_driver(with, &probe, &error).index1 != 0, "%s", error.what);
    run_steps(without, 1200);
    run_steps(with, 1200);
    cr_assert(sherd_world_bonds(without).broken_count > 100);
    cr_assert(eq(u64, sherd_world_state_hash(with), sherd_world_state_hash(without)));
    sherd_world_destroy(without);
    sherd_world_destroy(with);
}

static sherd_status run_at(double share_of_limit, sherd_error *error)
{
    sherd_world_def def = sherd_world_def_default();
    def.gravity = (sherd_vec3){0, 0, 0};
    def.threads = 1;
    def.contacts = false; // their bound may be the smaller one, and nothing touches here
    sherd_world *world = sherd_world_create(&def, error);
    block b = block_default();
    b.material.bond_damping = 0.0;
    b.angular_velocity = (sherd_vec3){50.0, 30.0, 20.0};
    add_block(world, &b, NULL);
    double limit = sherd_world_stable_time_step(world, error);
    cr_assert(limit > 0.0);
    cr_assert(eq(int, sherd_world_set_time_step(world, share_of_limit * limit, error), SHERD_OK));
    sherd_status status = sherd_world_step(world, 3000, error);
    if (status == SHERD_OK) status = sherd_world_check(world, error);
    sherd_world_destroy(world);
    return status;
}

// The limit is the real one: just below it is stable, just above it is not, and the report says why.
Test(time_step, the_limit_is_true_and_trouble_is_reported)
{
    sherd_error error;
    cr_assert(eq(int, run_at(0.97, &error), SHERD_OK), "%s", error.what);
    cr_assert(eq(int, run_at(1.05, &error), SHERD_ERROR_UNSTABLE));
    cr_assert(strstr(error.what, "stability limit") != NULL, "%s", error.what);
    cr_assert(strstr(error.where, "element") != NULL && strstr(error.where, "step") != NULL, "%s",
              error.where);
    cr_assert(error.hint[0] != '\0');
}
