// Piles of loose grains, damped at many contacts each, at explicit steps as long as the limit allows:
// what they have of energy only falls.
#include "physics/block.h"

#define EDGE 0.013 // of a box with a little room for the grains [m]

static void add_wall(sherd_world *world, sherd_vec3 position, sherd_quat rotation)
{
    sherd_error error;
    sherd_obstacle_def wall = sherd_obstacle_def_default();
    wall.is_plane = true;
    wall.pose = (sherd_pose){position, rotation};
    cr_assert(sherd_world_add_obstacle(world, &wall, &error).index1 != 0, "%s", error.what);
}

static void add_walls(sherd_world *world)
{
    const double h = sqrt(0.5), half = 0.5 * EDGE;
    add_wall(world, (sherd_vec3){0, 0, -half}, (sherd_quat){0, 0, 0, 1});
    add_wall(world, (sherd_vec3){-half, 0, 0}, (sherd_quat){0, h, 0, h});
    add_wall(world, (sherd_vec3){half, 0, 0}, (sherd_quat){0, -h, 0, h});
    add_wall(world, (sherd_vec3){0, -half, 0}, (sherd_quat){-h, 0, 0, h});
    add_wall(world, (sherd_vec3){0, half, 0}, (sherd_quat){h, 0, 0, h});
}

// Grains of a close packing, a little apart.
static void add_grains(sherd_world *world, double restitution, double friction)
{
    sherd_error error;
    sherd_shape *box = sherd_shape_box((sherd_vec3){EDGE, EDGE, EDGE}, &error);
    sherd_packing_def def = sherd_packing_def_default();
    def.radius = 1e-3;
    def.jitter = 0.02;
    sherd_packing *p = sherd_packing_create(box, &def, &error);
    cr_assert(p != NULL, "%s", error.what);
    for (int k = 0; k < p->count; ++k)
        p->radius[k] *= 0.97;
    sherd_material_def material = sherd_material_def_default();
    material.youngs_modulus = 1e8, material.shear_modulus = 4e7;
    material.restitution = restitution, material.friction = friction;
    sherd_body_def body = sherd_body_def_default();
    body.count = p->count;
    body.x = p->x, body.y = p->y, body.z = p->z, body.radius = p->radius;
    body.bonding = SHERD_BONDING_NONE;
    body.material = sherd_world_add_material(world, &material, &error);
    cr_assert(sherd_world_add_body(world, &body, &error).index1 != 0, "%s", error.what);
    sherd_packing_destroy(p);
    sherd_shape_destroy(box);
}

// A thousandfold gravity settles them within some hundred steps, and presses.
static sherd_world *pile(double share, double restitution, double friction)
{
    sherd_error error;
    sherd_world_def def = sherd_world_def_default();
    def.gravity.z *= 1000.0;
    def.threads = 1;
    def.sleep = false;
    def.time_step_safety = share;
    sherd_world *world = sherd_world_create(&def, &error);
    cr_assert(world != NULL, "%s", error.what);
    add_grains(world, restitution, friction);
    add_walls(world);
    return world;
}

// The most that kinetic, stored and potential energy rose above what it had already come down to, as a
// share of the largest kinetic energy.
static double rise_of(double share, double restitution, double friction)
{
    sherd_world *world = pile(share, restitution, friction);
    double least = INFINITY, rise = 0.0, kinetic = 0.0;
    for (int s = 0; s < 6000; ++s) {
        run_steps(world, 1);
        sherd_energy e = sherd_world_energy(world);
        double now = e.kinetic + e.contact + e.gravity;
        least = fmin(least, now);
        rise = fmax(rise, now - least);
        kinetic = fmax(kinetic, e.kinetic);
    }
    double touching = (double)sherd_world_touching_count(world);
    cr_assert(lt(dbl, 1.5 * sherd_world_elements(world).count, touching)); // it is a pile
    sherd_world_destroy(world);
    return rise / kinetic;
}

// Some grains get several contacts in the same step, which dashpots then know from the next step on:
// such grains have a thousandth of the energy.
Test(piles, of_slippery_grains_lose_energy_up_to_the_limit)
{
    const double restitution[] = {0.5, 0.3, 0.1, 0.02};
    for (int k = 0; k < 4; ++k) {
        cr_expect(lt(dbl, rise_of(0.95, restitution[k], 0.0), 1e-3), "e %g", restitution[k]);
        cr_expect(lt(dbl, rise_of(0.7, restitution[k], 0.0), 1e-3), "e %g", restitution[k]);
    }
}

// At the default share of the limit, which leaves room for grains that stick and turn against each
// other. Springs that swing hold more or less energy by (w dt)^2 / 4 within a step: few do at a time.
Test(piles, of_rough_grains_lose_energy_at_the_default_step)
{
    const double restitution[] = {1.0, 0.5, 0.3, 0.1, 0.02};
    for (int k = 0; k < 5; ++k)
        cr_expect(lt(dbl, rise_of(0.7, restitution[k], 1.0), 1e-2), "e %g", restitution[k]);
}
