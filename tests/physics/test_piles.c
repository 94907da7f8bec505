// Piles of loose grains, damped at many contacts each, at explicit steps as long as the limit allows:
// what they have of energy only falls.
#include "physics/block.h"
#include "sanitized.h"

#include <stdlib.h>

#define EDGE 0.013 // of a box with a little room for the grains [m]
#define LUMP 0.004 // edge of lumps of grains that are bonded [m]

typedef enum pile_kind { GRAINS, LUMPS } pile_kind;

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

typedef struct bond_list {
    sherd_element_index *i, *j;
    sherd_bond_index count;
} bond_list;

static bool in_one_lump(const sherd_packing *p, int i, int j)
{
    const double *axis[] = {p->x, p->y, p->z};
    for (int a = 0; a < 3; ++a)
        if (floor(axis[a][i] / LUMP) != floor(axis[a][j] / LUMP)) return false;
    return true;
}

static bond_list bonds_of_lumps(const sherd_packing *p)
{
    size_t most = (size_t)p->count * 12;
    bond_list bonds = {calloc(most, sizeof *bonds.i), calloc(most, sizeof *bonds.j), 0};
    for (int i = 0; i < p->count; ++i)
        for (int j = i + 1; j < p->count; ++j) {
            double far = sqrt(pow(p->x[i] - p->x[j], 2.0) + pow(p->y[i] - p->y[j], 2.0) +
                              pow(p->z[i] - p->z[j], 2.0));
            if (far > 2.3e-3 || !in_one_lump(p, i, j)) continue;
            bonds.i[bonds.count] = i;
            bonds.j[bonds.count++] = j;
        }
    return bonds;
}

// Grains of a close packing, a little apart.
static void add_grains(sherd_world *world, pile_kind kind, double restitution, double friction)
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
    bond_list bonds = bonds_of_lumps(p);
    body.bonding = kind == LUMPS ? SHERD_BONDING_LIST : SHERD_BONDING_NONE;
    if (kind == LUMPS) body.bond_count = bonds.count, body.bond_i = bonds.i, body.bond_j = bonds.j;
    body.material = sherd_world_add_material(world, &material, &error);
    cr_assert(sherd_world_add_body(world, &body, &error).index1 != 0, "%s", error.what);
    free(bonds.i), free(bonds.j);
    sherd_packing_destroy(p);
    sherd_shape_destroy(box);
}

// A thousandfold gravity settles them within some hundred steps, and presses.
static sherd_world *pile(pile_kind kind, double share, double restitution, double friction)
{
    sherd_error error;
    sherd_world_def def = sherd_world_def_default();
    def.gravity.z *= 1000.0;
    def.threads = 1;
    def.sleep = false;
    def.time_step_safety = share;
    sherd_world *world = sherd_world_create(&def, &error);
    cr_assert(world != NULL, "%s", error.what);
    add_grains(world, kind, restitution, friction);
    add_walls(world);
    return world;
}

// The most that kinetic, stored and potential energy rose above what it had already come down to, as a
// share of the largest kinetic energy.
static double rise_of(pile_kind kind, double share, double restitution, double friction)
{
    sherd_world *world = pile(kind, share, restitution, friction);
    double least = INFINITY, rise = 0.0, kinetic = 0.0;
    for (int s = 0; s < 6000; ++s) {
        run_steps(world, 1);
        sherd_energy e = sherd_world_energy(world);
        double now = e.kinetic + e.elastic + e.contact + e.gravity;
        least = fmin(least, now);
        rise = fmax(rise, now - least);
        kinetic = fmax(kinetic, e.kinetic);
    }
    double touching = (double)sherd_world_touching_count(world);
    double least_touching = kind == GRAINS ? 1.5 : 0.5; // for an element of a pile
    cr_assert(lt(dbl, least_touching * sherd_world_elements(world).count, touching));
    sherd_world_destroy(world);
    return rise / kinetic;
}

// Some grains get several contacts in the same step, which dashpots then know from the next step on:
// such grains have a thousandth of the energy.
Test(piles, of_slippery_grains_lose_energy_up_to_the_limit)
{
    const double restitution[] = {0.5, 0.3, 0.1, 0.02};
    for (int k = 0; k < 4; k += SANITIZED ? 3 : 1) {
        cr_expect(lt(dbl, rise_of(GRAINS, 0.95, restitution[k], 0.0), 1e-3), "e %g",
                  restitution[k]);
        cr_expect(lt(dbl, rise_of(GRAINS, 0.7, restitution[k], 0.0), 1e-3), "e %g", restitution[k]);
    }
}

static void expect_no_rise(pile_kind kind)
{
    const double restitution[] = {1.0, 0.5, 0.3, 0.1, 0.02}, share[] = {0.95, 0.7};
    for (int k = 0; k < 5; k += SANITIZED ? 4 : 1)
        for (int s = 0; s < (SANITIZED ? 1 : 2); ++s)
            cr_expect(lt(dbl, rise_of(kind, share[s], restitution[k], 1.0), 1e-2),
                      "%g of the limit, e %g", share[s], restitution[k]);
}

// Grains that stick and turn against each other like gears, too. Springs that swing hold more or less
// energy by (w dt)^2 / 4 within a step: few do at a time.
Test(piles, of_rough_grains_lose_energy_up_to_the_limit)
{
    expect_no_rise(GRAINS);
}

// Of debris: what contacts and bonds hold at the same time.
Test(piles, of_rough_lumps_lose_energy_up_to_the_limit)
{
    expect_no_rise(LUMPS);
}
