// Bodies that begin inside each other: an element then has its bonds and twelve contacts besides.
#include "physics/methods.h"

static block soft_cube(double shift, double speed)
{
    block cube = block_default();
    cube.size = (sherd_vec3){0.01, 0.01, 0.01};
    cube.material.density = 2500.0;
    cube.material.youngs_modulus = 1e8;
    cube.material.shear_modulus = 4e7;
    cube.material.tensile_strength = cube.material.shear_strength = 1e6;
    cube.pose.position = (sherd_vec3){0.0, 0.0, shift};
    cube.velocity.z = speed;
    return cube;
}

static sherd_world *two_cubes(sherd_method method, double shift)
{
    sherd_world *world =
        world_by((stepping){method, 0.0, SHERD_SCHEME_AUTO}, (sherd_vec3){0, 0, -9.81});
    block cube = soft_cube(0.0, -2.0), twin = soft_cube(shift, 0.0);
    add_block(world, &cube, NULL);
    add_block(world, &twin, NULL);
    sherd_error error;
    sherd_obstacle_def plane = sherd_obstacle_def_default();
    plane.is_plane = true;
    plane.pose.position.z = -0.006;
    cr_assert(sherd_world_add_obstacle(world, &plane, &error).index1 != 0, "%s", error.what);
    return world;
}

static double limit_at(double shift)
{
    sherd_world *world = two_cubes(SHERD_METHOD_EXPLICIT, shift);
    double limit = limit_of(world);
    sherd_world_destroy(world);
    return limit;
}

// Two cubes apart, or whose surfaces overlap by a tenth of a radius, have the limit of one. At one place, or shifted by
// half a radius into each other, contacts are as stiff as bonds: some 0.7 of it.
Test(inside_each_other, explicit_steps_are_shorter)
{
    double apart = limit_at(0.02), touching = limit_at(0.0099);
    cr_expect(eq(dbl, touching, apart));
    cr_expect(lt(dbl, limit_at(0.0), 0.8 * apart));
    cr_expect(lt(dbl, limit_at(0.0005), 0.8 * apart));
}

// One cube leaves the other at 2 m/s and breaks. What dissipates only grows, but for what trapezoids of single steps
// are off by: at the limit of one cube, friction gave 2.6 % of the energy within 8 ms, as contacts rattled.
static void check_energy(sherd_method method)
{
    sherd_world *world = two_cubes(method, 0.0);
    set_frame(world, (stepping){method, 0.0, SHERD_SCHEME_AUTO}, 2e-4);
    double largest = sherd_world_energy(world).kinetic, friction = 0.0;
    for (int k = 1; k <= 40; ++k) {
        advance(world, 2e-4 * k);
        sherd_energy e = sherd_world_energy(world);
        cr_expect(lt(dbl, friction - 0.002 * largest, e.dissipated_friction), "%g ms", 0.2 * k);
        cr_expect(lt(dbl, fabs(e.balance_error), 0.05));
        friction = fmax(friction, e.dissipated_friction);
    }
    sherd_world_destroy(world);
}

Test(inside_each_other, friction_takes_energy_by_explicit_steps)
{
    check_energy(SHERD_METHOD_EXPLICIT);
}

Test(inside_each_other, friction_takes_energy_where_methods_switch)
{
    check_energy(SHERD_METHOD_AUTO);
}
