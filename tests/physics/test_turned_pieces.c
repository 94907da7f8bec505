// Single precision resolves strains to 1e-7 of themselves, not of the angles between bodies, or between the fragments of
// one: what is turned stays as still, and keeps its energy as well, as what is not.
#include "physics/methods.h"

#define GRAVITY 9.81

static const stepping CHOSEN = {SHERD_METHOD_AUTO, 0.0, SHERD_SCHEME_AUTO};

static sherd_quat turned_by(double angle, double x, double y, double z)
{
    double s = sin(0.5 * angle) / sqrt(x * x + y * y + z * z);
    return (sherd_quat){s * x, s * y, s * z, cos(0.5 * angle)};
}

static block stiff_box(double side)
{
    block b = block_default();
    b.size = (sherd_vec3){side, side, side};
    b.material.youngs_modulus = 55e9;
    b.material.shear_modulus = 22e9;
    b.material.density = 2700.0;
    b.material.tensile_strength = b.material.shear_strength = 1e9;
    return b;
}

static sherd_world *world_of(stepping by, double gravity, bool sleep)
{
    sherd_world_def def = def_of(by, (sherd_vec3){0, 0, -gravity});
    def.sleep = sleep;
    def.precision = SHERD_PRECISION_MIXED;
    return create(&def);
}

// Three bodies of one block, none along its middle.
static sherd_world *turned_boxes(stepping by, const block *box, double apart, double gravity,
                                 bool sleep)
{
    static const double ANGLES[] = {0.5, 1.3, -0.9};
    sherd_world *world = world_of(by, gravity, sleep);
    int count = 0;
    for (int k = 0; k < 3; ++k) {
        block b = *box;
        b.pose.position.x = apart * k;
        b.pose.position.z = 0.5 * b.size.z;
        // On the floor about the vertical alone.
        b.pose.rotation = gravity > 0.0 ? turned_by(ANGLES[k], 0.0, 0.0, 1.0)
                                        : turned_by(ANGLES[k], 1.0 - k, 1.0, 0.5 * k);
        count += add_block(world, &b, NULL);
    }
    cr_assert(count > 2048, "%d",
              count); // fewer of several bodies are computed in double precision
    return world;
}

// Strains of 6e-8, to which singles are rounded, are this much in bonds and, as they change from step to step, in motion.
// What is rounded here are displacements of some 1e-19 m and rest lengths.
Test(turned_pieces, at_rest_nothing_moves)
{
    block box = stiff_box(0.0175);
    sherd_world *world = turned_boxes(EXPLICIT, &box, 0.03, 0.0, false);
    double volume = 3.0 * pow(0.0175, 3.0), rounded = 0.5 * 55e9 * 6e-8 * 6e-8 * volume;
    advance(world, 500.0 * default_step(world));
    sherd_energy energy = sherd_world_energy(world);
    cr_assert(le(dbl, energy.kinetic + energy.elastic, 1e-6 * rounded), "%g, %g J, rounding %g J",
              energy.kinetic, energy.elastic, rounded);
    sherd_world_destroy(world);
}

// They spin together by a turn: none gains what would make it ring.
Test(turned_pieces, bodies_that_spin_keep_their_energy)
{
    block box = stiff_box(0.0175);
    box.material.youngs_modulus = 1e9, box.material.shear_modulus = 4e8;
    box.material.bond_damping = 0.0;
    box.angular_velocity = (sherd_vec3){20.0, 35.0, 10.0};
    sherd_world *world = turned_boxes(EXPLICIT, &box, 0.03, 0.0, false);
    advance(world, 0.5e-3);
    sherd_energy start = sherd_world_energy(world);
    advance(world, 2.5e-3);
    sherd_energy end = sherd_world_energy(world);
    double change = end.kinetic + end.elastic - start.kinetic - start.elastic;
    cr_assert(le(dbl, fabs(change), 1e-7 * start.kinetic), "%g of %g J", change, start.kinetic);
    sherd_world_destroy(world);
}

// And on a floor they come to rest and fall asleep.
Test(turned_pieces, large_bodies_fall_asleep)
{
    block box = stiff_box(0.0175);
    sherd_world *world = turned_boxes(CHOSEN, &box, 0.03, GRAVITY, true);
    add_floor(world, NAN);
    advance(world, 1e-3); // explicit steps, too
    for (int f = 1; f <= 12; ++f)
        advance(world, f / 24.0);
    cr_assert(eq(int, (int)sherd_world_asleep_count(world), sherd_world_elements(world).count));
    cr_assert(le(dbl, fabs(sherd_world_energy(world).balance_error), 0.01));
    sherd_world_destroy(world);
}
