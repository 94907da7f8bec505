// Free bodies that lie down flat: hundreds of contacts begin in one step. Each has its share of the body behind it, from
// that step on; with the whole of it, dashpots gave 79 % of the energy there was, and runs stopped.
#include "physics/block.h"

static const double SPEED = 0.5, AWAY = 0.3;

static sherd_material_def clay(double restitution)
{
    sherd_material_def material = sherd_material_def_default();
    material.density = 2000.0;
    material.youngs_modulus = 1e7;
    material.shear_modulus = 4e6;
    material.tensile_strength = material.shear_strength = 1e30;
    material.restitution = restitution;
    material.friction = 0.0;
    return material;
}

// Returns its kinetic energy.
static double add_free(sherd_world *world, const sherd_shape *shape, double density, double height)
{
    sherd_error error;
    sherd_obstacle_def def = sherd_obstacle_def_default();
    def.kind = SHERD_OBSTACLE_FREE;
    def.shape = shape;
    def.density = density;
    def.pose.position.z = height;
    def.velocity.z = -SPEED;
    cr_assert(sherd_world_add_obstacle(world, &def, &error).index1 != 0, "%s", error.what);
    return 0.5 * density * sherd_shape_volume(shape) * SPEED * SPEED;
}

static void advance(sherd_world *world, double until)
{
    sherd_error error;
    sherd_status status = sherd_world_advance(world, until, &error);
    cr_assert(eq(int, status, SHERD_OK), "%s: %s", error.where, error.what);
}

static sherd_shape *cup(void)
{
    sherd_error error;
    sherd_shape *inside =
        sherd_shape_placed(sherd_shape_cylinder(0.026, 0.06, &error),
                           (sherd_pose){{0.0, 0.0, 0.004}, {0.0, 0.0, 0.0, 1.0}}, &error);
    return sherd_shape_difference(sherd_shape_cylinder(0.03, 0.06, &error), inside, &error);
}

// A floor. Far away lies what the material is for.
static void add_rest(sherd_world *world, double restitution)
{
    sherd_error error;
    block pebble = block_default();
    pebble.size = (sherd_vec3){0.004, 0.004, 0.004};
    pebble.pose.position = (sherd_vec3){AWAY, 0.0, 0.05};
    pebble.material = clay(restitution);
    add_block(world, &pebble, NULL);
    sherd_obstacle_def floor = sherd_obstacle_def_default();
    floor.is_plane = true;
    cr_assert(sherd_world_add_obstacle(world, &floor, &error).index1 != 0, "%s", error.what);
}

// It rebounds as its restitution says, whatever number of points touches (test_free_impacts.c).
static void drop_cup(double restitution)
{
    sherd_world *world = weightless_world(SHERD_METHOD_EXPLICIT, 0.85);
    add_rest(world, restitution);
    sherd_shape *shape = cup();
    double before = add_free(world, shape, 2000.0, 0.031);
    advance(world, 0.02);
    sherd_energy after = sherd_world_energy(world);
    double rebound = sqrt(after.kinetic / before);
    cr_assert(epsilon_eq(dbl, rebound, restitution, 0.01), "%g: %g", restitution, rebound);
    cr_assert(lt(dbl, 0.0, after.dissipated_contact));
    cr_assert(lt(dbl, fabs(after.balance_error), 1e-3), "%g", after.balance_error);
    sherd_world_destroy(world);
    sherd_shape_destroy(shape);
}

Test(flat_landing, a_cup_on_a_plane)
{
    const double restitution[] = {0.9, 0.5, 0.1};
    for (int k = 0; k < 3; ++k)
        drop_cup(restitution[k]);
}

// A lid, lighter than the elements that it falls on. Dashpots take from it, and never more than it brings.
Test(flat_landing, a_lid_on_elements)
{
    const double density[] = {20.0, 100.0, 500.0};
    for (int k = 0; k < 3; ++k) {
        sherd_error error;
        sherd_world *world = weightless_world(SHERD_METHOD_EXPLICIT, 0.85);
        block pane = block_default();
        pane.size = (sherd_vec3){0.03, 0.03, 0.002};
        pane.packing = SHERD_PACKING_HEX_LAYERS, pane.layers = 1;
        pane.material = clay(0.05);
        add_block(world, &pane, NULL);
        sherd_shape *shape = sherd_shape_box((sherd_vec3){0.04, 0.04, 0.004}, &error);
        double before = add_free(world, shape, density[k], 0.004);
        advance(world, 0.01);
        sherd_energy after = sherd_world_energy(world);
        cr_assert(lt(dbl, 0.0, after.dissipated_contact));
        cr_assert(lt(dbl, after.dissipated_contact, before));
        cr_assert(lt(dbl, after.kinetic + after.elastic + after.contact, before));
        sherd_world_destroy(world);
        sherd_shape_destroy(shape);
    }
}
