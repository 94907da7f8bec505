// Sections, volumes and factors that bodies are given, in whole worlds.
#include "physics/block.h"

// A chain of ten touching elements along x, held at one end and pulled at the other.
enum { LENGTH = 10 };

typedef struct chain {
    double section, volume; // of every bond, element; 0 = the default
    sherd_bond_scale scale;
    sherd_vec3 grain; // its direction; 0: none
    double lambda;    // of stiffness and of strength
    sherd_precision precision;
    sherd_method method;
} chain;

static sherd_bond_scale uniform_scale(const void *context, sherd_vec3 i, sherd_vec3 j)
{
    (void)i, (void)j;
    return *(const sherd_bond_scale *)context;
}

static const double RADIUS = 1e-3;

static sherd_driver_id grip(sherd_world *world, double x, double speed)
{
    sherd_error error;
    sherd_driver_def d = sherd_driver_def_default();
    sherd_shape *box = sherd_shape_box((sherd_vec3){RADIUS, 1.0, 1.0}, &error);
    d.region.shape = box;
    d.region.pose.position.x = x;
    d.drive = SHERD_DRIVE_MOTION;
    d.motion.velocity.x = speed;
    sherd_driver_id id = sherd_world_add_driver(world, &d, &error);
    cr_assert(id.index1 != 0, "%s", error.what);
    sherd_shape_destroy(box);
    return id;
}

static void add_chain(sherd_world *world, const chain *c)
{
    double x[LENGTH], zero[LENGTH] = {0}, radius[LENGTH], volume[LENGTH], section[LENGTH - 1];
    sherd_element_index i[LENGTH - 1], j[LENGTH - 1];
    for (int k = 0; k < LENGTH; ++k)
        x[k] = 2.0 * RADIUS * k, radius[k] = RADIUS, volume[k] = c->volume;
    for (int k = 0; k + 1 < LENGTH; ++k)
        i[k] = k, j[k] = k + 1, section[k] = c->section;
    sherd_error error;
    sherd_material_def material = sherd_material_def_default();
    material.tensile_strength = 1e6;
    material.shear_strength = 1e6;
    if (c->lambda > 0.0) material.grain_direction = c->grain;
    material.grain_stiffening = material.grain_strengthening = c->lambda;
    sherd_body_def body = sherd_body_def_default();
    body.count = LENGTH, body.x = x, body.y = zero, body.z = zero, body.radius = radius;
    body.material = sherd_world_add_material(world, &material, &error);
    body.bonding = SHERD_BONDING_LIST;
    body.bond_count = LENGTH - 1, body.bond_i = i, body.bond_j = j;
    body.bond_section = c->section > 0.0 ? section : NULL;
    body.volume = c->volume > 0.0 ? volume : NULL;
    body.bond_scale = uniform_scale;
    body.bond_scale_context = &c->scale;
    cr_assert(sherd_world_add_body(world, &body, &error).index1 != 0, "%s", error.what);
}

typedef struct pulled {
    double force;  // [N]
    double broken; // displacement of the end at which the first bond broke [m]
    double mass;   // of one element [kg]
} pulled;

// 0.1 m/s is far below the wave speed of about 600 m/s.
static pulled pull(const chain *c)
{
    sherd_error error;
    sherd_world_def def = sherd_world_def_default();
    def.gravity.z = 0.0;
    def.threads = 1;
    def.contacts = false;
    def.precision = c->precision;
    def.method = c->method;
    if (def.method == SHERD_METHOD_IMPLICIT) def.time_step = 4e-7;
    sherd_world *world = sherd_world_create(&def, &error);
    cr_assert(world != NULL, "%s", error.what);
    add_chain(world, c);
    const double speed = 0.1, every = 4e-6;
    grip(world, 0.0, 0.0);
    sherd_driver_id end = grip(world, 2.0 * RADIUS * (LENGTH - 1), speed);
    pulled result = {.mass = sherd_world_element(world, 3).mass};
    if (def.method == SHERD_METHOD_EXPLICIT)
        cr_assert(eq(int, sherd_world_set_time_step(world, 1e-7, &error), SHERD_OK));
    for (int k = 1; k <= 60; ++k) {
        cr_assert(eq(int, sherd_world_advance(world, k * every, &error), SHERD_OK), "%s",
                  error.what);
        if (k == 20) result.force = -sherd_world_probe_driver(world, end).force.x;
        if (sherd_world_bonds(world).broken_count == 0) result.broken = speed * k * every;
    }
    sherd_world_destroy(world);
    return result;
}

static const double SECTION = M_PI * RADIUS * RADIUS,
                    VOLUME = 4.0 / 3.0 * M_PI * RADIUS * RADIUS * RADIUS;

static chain plain(void)
{
    return (chain){.scale = {1.0, 1.0}, .precision = SHERD_PRECISION_DOUBLE};
}

// Twice as thick and heavy: the same motion under twice the force. Sections are kept as floats, 6e-8.
Test(bond_design, doubled_section_carries_doubled_force)
{
    for (int method = 0; method < 2; ++method) {
        chain c = plain();
        c.method = method == 0 ? SHERD_METHOD_EXPLICIT : SHERD_METHOD_IMPLICIT;
        // Implicit steps are solved to a part of `accuracy`, 1 % of displacements.
        double tolerance = method == 0 ? 3e-7 : 1e-2;
        pulled one = pull(&c);
        c.section = SECTION, c.volume = VOLUME;
        pulled same = pull(&c);
        c.section = 2.0 * SECTION, c.volume = 2.0 * VOLUME;
        pulled twice = pull(&c);
        cr_assert(one.force > 0.1);
        cr_assert(epsilon_eq(dbl, same.force, one.force, tolerance * one.force));
        cr_assert(epsilon_eq(dbl, twice.force, 2.0 * one.force, tolerance * 2.0 * one.force));
        cr_assert(epsilon_eq(dbl, same.mass, one.mass, 1e-15 * one.mass));
        cr_assert(epsilon_eq(dbl, twice.mass, 2.0 * one.mass, 1e-15 * twice.mass));
        cr_assert(one.broken > 0.0 && one.broken < 0.1 * 2e-4);
        cr_assert(eq(dbl, twice.broken, one.broken));
    }
}

// Stiffness as a factor of the modulus; both factors 4: everything at 4 times the force and the same
// displacement. A strength of its own: earlier.
Test(bond_design, factors)
{
    chain c = plain();
    c.volume = VOLUME;
    pulled one = pull(&c);
    c.scale = (sherd_bond_scale){4.0, 4.0}, c.volume = 4.0 * VOLUME;
    pulled four = pull(&c);
    cr_assert(epsilon_eq(dbl, four.force, 4.0 * one.force, 1e-12 * four.force));
    cr_assert(eq(dbl, four.broken, one.broken));
    c = plain(), c.scale.strength = 0.5;
    pulled weak = pull(&c);
    cr_assert(epsilon_eq(dbl, weak.force, one.force, 1e-12 * one.force));
    cr_assert(weak.broken > 0.0 && weak.broken < 0.75 * one.broken);
}

// 1 + lambda (d_g . d_b)^4 of both: what a factor does on a bond along the grain, askew and across.
//                                                                                   [BDEM21] (30)
Test(bond_design, grain_stiffens_and_strengthens_bonds_along_it)
{
    static const sherd_vec3 GRAIN[] = {{2.0, 0.0, 0.0}, {1.0, 0.0, 1.0}, {0.0, 1.0, 0.0}};
    static const double FACTOR[] = {4.0, 1.75, 1.0};
    for (int k = 0; k < 3; ++k) {
        chain c = plain();
        c.volume = FACTOR[k] * VOLUME;
        c.scale = (sherd_bond_scale){FACTOR[k], FACTOR[k]};
        pulled scaled = pull(&c);
        c.scale = plain().scale, c.grain = GRAIN[k], c.lambda = 3.0;
        pulled grown = pull(&c);
        cr_assert(scaled.broken > 0.0);
        cr_assert(epsilon_eq(dbl, grown.force, scaled.force, 1e-12 * scaled.force));
        cr_assert(eq(dbl, grown.broken, scaled.broken));
    }
}

Test(bond_design, sections_and_volumes_are_checked)
{
    double x[2] = {0.0, 2e-3}, zero[2] = {0}, radius[2] = {1e-3, 1e-3};
    const double bad[] = {0.0, -1.0, NAN, INFINITY};
    sherd_element_index i = 0, j = 1;
    sherd_error error;
    sherd_world *world = world_with((sherd_vec3){0, 0, 0}, 1);
    sherd_material_def material = sherd_material_def_default();
    sherd_body_def good = sherd_body_def_default();
    good.count = 2, good.x = x, good.y = zero, good.z = zero, good.radius = radius;
    good.material = sherd_world_add_material(world, &material, &error);
    good.bonding = SHERD_BONDING_LIST;
    good.bond_count = 1, good.bond_i = &i, good.bond_j = &j;
    for (int k = 0; k < 4; ++k) {
        sherd_body_def body = good;
        double volume[2] = {1e-9, bad[k]};
        body.bond_section = &bad[k];
        cr_assert(eq(int, (int)sherd_world_add_body(world, &body, &error).index1, 0));
        body.bond_section = NULL, body.volume = volume;
        cr_assert(eq(int, (int)sherd_world_add_body(world, &body, &error).index1, 0));
    }
    sherd_body_def near = good;
    double section = 1e-6;
    near.bonding = SHERD_BONDING_NEAR, near.bond_section = &section;
    cr_assert(eq(int, (int)sherd_world_add_body(world, &near, &error).index1, 0));
    cr_assert(sherd_world_add_body(world, &good, &error).index1 != 0, "%s", error.what);
    cr_assert(eq(i64, sherd_world_bonds(world).count, 1));
    sherd_world_destroy(world);
}
