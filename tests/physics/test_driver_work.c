// Work of prescribed forces that change with time: what a body that nothing else acts on gains.
#include "physics/methods.h"

static block stiff_cube(void)
{
    block cube = block_default();
    cube.size = (sherd_vec3){0.01, 0.01, 0.01};
    cube.material.youngs_modulus = 1e8;
    cube.material.shear_modulus = 4e7;
    cube.material.density = 2000.0;
    cube.material.bond_damping = 0.0;
    return cube;
}

typedef struct pushed {
    sherd_vec3 momentum; // [kg m/s]
    sherd_energy energy;
} pushed;

// A force of at most 10 N along x rises for 0.1 ms and falls for as long: an impulse of 1e-3 N s. It acts on all of a
// cube alike, which stays rigid.
static pushed push_cube(stepping by, double safety)
{
    static const double times[] = {0.0, 1e-4, 2e-4}, factors[] = {0.0, 1.0, 0.0};
    sherd_driver_def driver = sherd_driver_def_default();
    driver.drive = SHERD_DRIVE_FORCE;
    driver.force = (sherd_vec3){10.0, 0.0, 0.0};
    driver.force_key_count = 3;
    driver.force_times = times, driver.force_factors = factors;
    sherd_world_def def = def_of(by, (sherd_vec3){0, 0, 0});
    if (safety > 0.0) def.time_step_safety = safety;
    sherd_world *world = create(&def);
    block cube = stiff_cube();
    add_block(world, &cube, NULL);
    drive_slab(world, -1.0, 1.0, driver);
    advance(world, 1e-3);
    pushed end = {sherd_world_momentum(world), sherd_world_energy(world)};
    sherd_world_destroy(world);
    return end;
}

// However long steps are: the work of a step is that of its two half kicks. 1e-9: rounding of thousands of steps, and
// vibrations that it excites.
Test(driver_work, explicit_kicks_give_the_work_that_is_booked)
{
    for (int k = 0; k < 3; ++k) {
        pushed end = push_cube(EXPLICIT, k == 0 ? 0.05 : k == 1 ? 0.3 : 0.85);
        cr_expect(epsilon_eq(dbl, end.energy.work, end.energy.kinetic, 1e-9 * end.energy.kinetic));
    }
}

// Steps end at the keys of tables, and each gives its force's impulse, however much the force changes within it: to
// rounding. The way follows to the order of the steps, and with it the work: a cube goes ahead by half a step of Euler.
static void check_implicit_push(stepping by, double order)
{
    pushed end = push_cube(by, 0.0);
    cr_expect(epsilon_eq(dbl, end.momentum.x, 1e-3, 1e-12));
    cr_expect(epsilon_eq(dbl, end.energy.work, end.energy.kinetic, order * end.energy.kinetic));
}

// 4 T: 14 steps in a push.
Test(driver_work, implicit_steps_give_the_impulse_of_a_force)
{
    check_implicit_push((stepping){SHERD_METHOD_IMPLICIT, 0.0, SHERD_SCHEME_AUTO}, 0.02);
    check_implicit_push((stepping){SHERD_METHOD_IMPLICIT, 4.0, SHERD_SCHEME_BDF2}, 0.02);
    check_implicit_push((stepping){SHERD_METHOD_IMPLICIT, 4.0, SHERD_SCHEME_EULER}, 0.1);
}

// Where it switches: 0.02 %, the force as a few hundred explicit steps sample it.
Test(driver_work, switching_gives_the_impulse_of_a_force)
{
    pushed end = push_cube((stepping){SHERD_METHOD_AUTO, 0.0, SHERD_SCHEME_AUTO}, 0.085);
    cr_expect(epsilon_eq(dbl, end.momentum.x, 1e-3, 2e-7));
    cr_expect(epsilon_eq(dbl, end.energy.work, end.energy.kinetic, 0.02 * end.energy.kinetic));
}

// Held by a motion without keys, whose elements need not be moved, or by one whose keys are all at the start.
static uint64_t swing_held_plate(int keys)
{
    static const sherd_motion_key still[2] = {{.time = 0.0}, {.time = 1.0}};
    sherd_driver_def driver = held();
    driver.motion.key_count = keys;
    driver.motion.keys = keys > 0 ? still : NULL;
    sherd_world *world = world_by(EXPLICIT, (sherd_vec3){0, 0, -300.0});
    block plate = stiff_cube();
    plate.size.x = 0.03;
    plate.material.tensile_strength = plate.material.shear_strength = 3e4;
    add_block(world, &plate, NULL);
    drive_slab(world, -1.0, -0.012, driver);
    advance(world, 2e-3);
    cr_expect(lt(i64, 0, sherd_world_bonds(world).broken_count));
    cr_expect(eq(dbl, sherd_world_energy(world).work, 0.0));
    uint64_t hash = sherd_world_state_hash(world);
    sherd_world_destroy(world);
    return hash;
}

Test(driver_work, what_is_held_fast_moves_as_if_it_were_moved_nowhere)
{
    cr_expect(eq(u64, swing_held_plate(0), swing_held_plate(2)));
}

// A driver starts a cube and lifts it: it gives all that moves and all that is higher, to rounding.
Test(driver_work, what_is_lifted_takes_its_weight_times_the_height)
{
    const double speed = 0.1, time = 1e-3, g = 9.81;
    sherd_driver_def driver = held();
    driver.motion.velocity.z = speed;
    sherd_world *world = world_by(EXPLICIT, (sherd_vec3){0, 0, -g});
    block cube = stiff_cube();
    add_block(world, &cube, NULL);
    drive_slab(world, -1.0, 1.0, driver);
    advance(world, time);
    double mass = sherd_world_momentum(world).z / speed;
    double moves = 0.5 * mass * speed * speed, higher = mass * g * speed * time;
    cr_expect(epsilon_eq(dbl, sherd_world_energy(world).work, moves + higher, 1e-9 * higher));
    sherd_world_destroy(world);
}

// After a cascade of breaks a step continues from a history that is extrapolated back: the force was there, too.
Test(driver_work, a_push_that_tears_a_bar_gives_its_impulse)
{
    sherd_driver_def driver = sherd_driver_def_default();
    driver.drive = SHERD_DRIVE_FORCE;
    driver.force = (sherd_vec3){1.0, 0.0, 0.0};
    sherd_world *world =
        world_by((stepping){SHERD_METHOD_IMPLICIT, 0.0, SHERD_SCHEME_AUTO}, (sherd_vec3){0, 0, 0});
    block bar = stiff_cube();
    bar.size.x = 0.04;
    bar.material.youngs_modulus = 1e7, bar.material.shear_modulus = 4e6;
    bar.material.tensile_strength = bar.material.shear_strength = 3e3;
    bar.material.bond_damping = 0.1;
    add_block(world, &bar, NULL);
    drive_slab(world, 0.016, 1.0, driver);
    advance(world, 4e-3);
    cr_assert(lt(i64, 0, sherd_world_bonds(world).broken_count));
    cr_expect(epsilon_eq(dbl, sherd_world_momentum(world).x, 4e-3, 4e-12));
    sherd_world_destroy(world);
}
