// A settled step allocates nothing: calls of the library's allocator, which all end in aligned_alloc, are counted.
#include "physics/methods.h"

#include <stdatomic.h>
#include <stdlib.h>

static atomic_int calls;

// By the linker in place of aligned_alloc (CMakeLists.txt).
void *__wrap_aligned_alloc(size_t alignment, size_t size);
void *__real_aligned_alloc(size_t alignment, size_t size);

void *__wrap_aligned_alloc(size_t alignment, size_t size)
{
    atomic_fetch_add(&calls, 1);
    return __real_aligned_alloc(alignment, size);
}

// A block at rest on a floor, with friction, of some chunks of elements.
static sherd_world *resting_block(stepping by)
{
    sherd_world *world = world_by(by, (sherd_vec3){0.0, 0.0, -9.81});
    block b = block_default();
    b.size = (sherd_vec3){0.04, 0.02, 0.01};
    b.material.youngs_modulus = 1e7;
    b.material.shear_modulus = 4e6;
    b.material.bond_damping = 0.3;
    b.material.friction = 0.4;
    b.pose.position.z = 0.0048;
    add_block(world, &b, NULL);
    add_floor(world, NAN);
    return world;
}

Test(allocations, there_are_none_in_settled_explicit_steps)
{
    sherd_world *world = resting_block(EXPLICIT);
    atomic_store(&calls, 0);
    run_steps(world, 2000);
    cr_assert(lt(int, 0, atomic_load(&calls))); // lists of pairs, room for what breaks
    atomic_store(&calls, 0);
    run_steps(world, 500);
    cr_assert(eq(int, atomic_load(&calls), 0));
    sherd_world_destroy(world);
}

// Loose grains in layers on a floor, all of which a driver presses down.
static sherd_world *pressed_grains(stepping by)
{
    enum { SIDE = 16, LAYERS = 3, COUNT = SIDE * SIDE * LAYERS };
    static double x[COUNT], y[COUNT], z[COUNT], radius[COUNT];
    const double r = 1e-3;
    sherd_world *world = world_by(by, (sherd_vec3){0.0, 0.0, -9.81});
    block like = block_default();
    like.material.youngs_modulus = 1e7;
    like.material.shear_modulus = 4e6;
    like.material.friction = 0.4;
    for (int k = 0; k < COUNT; ++k) {
        x[k] = 2.0 * r * (k % SIDE), y[k] = 2.0 * r * (k / SIDE % SIDE);
        z[k] = r * (1.0 + 2.0 * (k / SIDE / SIDE)), radius[k] = r;
    }
    sherd_error error;
    sherd_body_def def = sherd_body_def_default();
    def.material = sherd_world_add_material(world, &like.material, &error);
    def.count = COUNT;
    def.x = x, def.y = y, def.z = z, def.radius = radius;
    def.bonding = SHERD_BONDING_NONE;
    cr_assert(sherd_world_add_body(world, &def, &error).index1 != 0, "%s", error.what);
    add_floor(world, NAN);
    sherd_driver_def push = sherd_driver_def_default();
    push.drive = SHERD_DRIVE_FORCE;
    push.force = (sherd_vec3){0.0, 0.0, -0.05};
    drive(world, (sherd_vec3){0.0, 0.0, 0.0}, (sherd_vec3){1.0, 1.0, 1.0}, push);
    return world;
}

// How much room is needed is known after some steps.
static void check_settled_implicit_steps(sherd_world *world, double step, double settled)
{
    enum { STEPS = 20 };
    atomic_store(&calls, 0);
    advance(world, settled * step);
    cr_assert(lt(int, 0, atomic_load(&calls)));
    atomic_store(&calls, 0);
    advance(world, (settled + STEPS) * step);
    cr_assert(eq(int, atomic_load(&calls), 0));
    sherd_world_destroy(world);
}

Test(allocations, there_are_none_in_settled_implicit_steps)
{
    stepping by = euler(20.0);
    sherd_world *world = resting_block(by);
    check_settled_implicit_steps(world, 20.0 * limit_of(world), 100.0);
}

Test(allocations, there_are_none_in_settled_implicit_steps_of_grains)
{
    stepping by = euler(20.0);
    sherd_world *world = pressed_grains(by);
    check_settled_implicit_steps(world, 20.0 * limit_of(world), 100.0);
}

// A bar, some of whose bonds have begun to soften when it is held at both ends.
static sherd_world *softened_bar(stepping by)
{
    sherd_world *world = world_by(by, (sherd_vec3){0.0, 0.0, 0.0});
    block b = block_default();
    b.size = (sherd_vec3){0.03, 0.012, 0.012};
    b.material.tensile_strength = b.material.shear_strength = 2e6;
    b.material.fracture_energy = 400.0; // 50 times as much as bonds store at their strength
    b.material.bond_damping = 1.0;
    add_block(world, &b, NULL);
    const sherd_motion_key keys[3] = {{.time = 0.0},
                                      {.time = 2e-4, .translation = {1.2e-4, 0.0, 0.0}},
                                      {.time = 1.0, .translation = {1.2e-4, 0.0, 0.0}}};
    sherd_driver_def moved = held();
    moved.motion.keys = keys, moved.motion.key_count = 3;
    drive_slab(world, -0.02, -0.012, held());
    drive_slab(world, 0.012, 0.02, moved);
    return world;
}

static void check_settled_softening(stepping by)
{
    sherd_world *world = softened_bar(by);
    double frame = 20.0 * limit_of(world);
    set_frame(world, by, frame);
    advance(world, 200.0 * frame);
    double lost = sherd_world_energy(world).dissipated_softening;
    cr_assert(lt(dbl, 0.0, lost));
    atomic_store(&calls, 0);
    advance(world, 220.0 * frame);
    cr_assert(eq(int, atomic_load(&calls), 0));
    cr_assert(sherd_world_bonds(world).broken_count == 0);
    sherd_world_destroy(world);
}

Test(allocations, there_are_none_in_settled_steps_of_softening_bonds)
{
    check_settled_softening(EXPLICIT);
    check_settled_softening(euler(20.0));
}
