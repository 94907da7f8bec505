// Wind, blast and pressure on bodies of bonded elements.
#include "physics/methods.h"

static sherd_driver_def pressure_of(double value)
{
    sherd_driver_def def = sherd_driver_def_default();
    def.drive = SHERD_DRIVE_PRESSURE;
    def.pressure.value = value;
    return def;
}

static sherd_driver_def wind_of(sherd_vec3 velocity)
{
    sherd_driver_def def = sherd_driver_def_default();
    def.drive = SHERD_DRIVE_WIND;
    def.wind.velocity = velocity;
    return def;
}

static sherd_vec3 force_after_a_step(sherd_world *world, sherd_driver_id id)
{
    run_steps(world, 2);
    return sherd_world_probe_driver(world, id).force;
}

static block stiff_block(sherd_packing_kind packing, double radius)
{
    block b = block_default();
    b.packing = packing;
    b.radius = radius;
    b.material.tensile_strength = b.material.shear_strength = INFINITY;
    return b;
}

// Pressure on half of a body pushes it as on its cross section, whatever its shape: here 20 x 20 mm. Elements' centres
// reach to half an element below the faces, and faces' areas are those of the lattice: 7.5 % at 10 elements.
static void check_half(sherd_packing_kind packing, double tolerance)
{
    sherd_world *world = world_by(EXPLICIT, (sherd_vec3){0, 0, 0});
    block b = stiff_block(packing, 1e-3);
    add_block(world, &b, NULL);
    sherd_driver_id half = drive_slab(world, 0.0, 1.0, pressure_of(1e4));
    sherd_vec3 force = force_after_a_step(world, half);
    double expected = -1e4 * 4e-4;
    cr_expect(epsilon_eq(dbl, force.x, expected, tolerance * fabs(expected)), "%g", force.x);
    cr_expect(hypot(force.y, force.z) < 0.08 * fabs(expected));
    sherd_world_destroy(world);
}

Test(surface_forces, pressure_on_half_a_body_acts_on_its_cross_section)
{
    check_half(SHERD_PACKING_HCP, 0.1);
    check_half(SHERD_PACKING_CUBIC, 0.1);
    check_half(SHERD_PACKING_RANDOM, 0.12);
}

// The areas of a lattice's elements sum to 0: to rounding.
Test(surface_forces, pressure_all_around_pushes_nothing)
{
    sherd_world *world = world_by(EXPLICIT, (sherd_vec3){0, 0, 0});
    block b = stiff_block(SHERD_PACKING_CUBIC, 1e-3);
    add_block(world, &b, NULL);
    sherd_vec3 force = force_after_a_step(world, drive_slab(world, -1.0, 1.0, pressure_of(1e6)));
    cr_expect(hypot(hypot(force.x, force.y), force.z) < 1e-10 * 1e6 * 4e-4);
    sherd_world_destroy(world);
}

// Drag rho / 2 u^2 A, of a body of 0.01 m^2 across the wind.
static double drag_of(const block *b, double speed)
{
    sherd_world *world = world_by(EXPLICIT, (sherd_vec3){0, 0, 0});
    add_block(world, b, NULL);
    sherd_driver_def wind = wind_of((sherd_vec3){0, 0, speed});
    double force = force_after_a_step(world, drive_slab(world, -1.0, 1.0, wind)).z;
    sherd_world_destroy(world);
    return force / (0.5 * 1.2 * 1.2 * speed * fabs(speed) * 0.01);
}

// One layer, from either side. 5 %: the rim's elements, and those that the packing leaves out.
Test(surface_forces, wind_pushes_a_sheet_by_its_area)
{
    block b = stiff_block(SHERD_PACKING_HEX_LAYERS, 1e-3);
    b.size = (sherd_vec3){0.1, 0.1, 0.002};
    b.layers = 1;
    cr_expect(epsilon_eq(dbl, drag_of(&b, 10.0), 1.0, 0.05));
    cr_expect(epsilon_eq(dbl, drag_of(&b, -10.0), 1.0, 0.05));
}

// The lee side of a block feels nothing. The rim's faces look aside: 0.8 at 12 elements across.
Test(surface_forces, wind_pushes_the_windward_side)
{
    block b = stiff_block(SHERD_PACKING_CUBIC, 4e-3);
    b.size = (sherd_vec3){0.1, 0.1, 0.04};
    cr_expect(epsilon_eq(dbl, drag_of(&b, 10.0), 0.8, 0.08));
    cr_expect(epsilon_eq(dbl, drag_of(&b, -10.0), 0.8, 0.08));
}

// A ball without bonds falls at sqrt(2 m g / (C rho A)) in the end; 1e-3: 6 times the time that it takes to get there.
static double speed_of_fall(stepping by)
{
    sherd_error error;
    sherd_world *world = world_by(by, (sherd_vec3){0, 0, -9.81});
    sherd_material_def material = sherd_material_def_default();
    material.density = 100.0;
    double x[1] = {0.0}, r[1] = {5e-3};
    sherd_body_def body = sherd_body_def_default();
    body.count = 1, body.x = x, body.y = x, body.z = x, body.radius = r;
    body.material = sherd_world_add_material(world, &material, &error);
    cr_assert(sherd_world_add_body(world, &body, &error).index1 != 0, "%s", error.what);
    drive_slab(world, -1.0, 1.0, wind_of((sherd_vec3){0, 0, 0}));
    advance(world, 4.0);
    double speed = -sherd_world_elements(world).vz[0];
    sherd_energy e = sherd_world_energy(world);
    // What gravity gives is in the work of the air and in motion.
    double spent = e.kinetic + e.gravity + e.dissipated_integration;
    cr_expect(epsilon_eq(dbl, spent, e.work, 1e-3 * fabs(e.gravity)));
    sherd_world_destroy(world);
    return speed;
}

Test(surface_forces, balls_reach_their_final_speed)
{
    double mass = 100.0 * 4.0 / 3.0 * 3.14159265358979 * 1.25e-7, area = 3.14159265358979 * 2.5e-5;
    double expected = sqrt(2.0 * mass * 9.81 / (1.2 * 1.2 * area));
    cr_expect(epsilon_eq(dbl, speed_of_fall(EXPLICIT), expected, 1e-3 * expected));
    cr_expect(epsilon_eq(dbl,
                         speed_of_fall((stepping){SHERD_METHOD_IMPLICIT, 0.0, SHERD_SCHEME_AUTO}),
                         expected, 1e-3 * expected));
}

// A plate 1 m before 1 g of TNT: momentum = impulse of the reflected wave times its area; the work is what it gains.
// 12 %: faces at the rim look aside.
static double momentum_by_blast(stepping by)
{
    sherd_world *world = world_by(by, (sherd_vec3){0, 0, 0});
    block b = stiff_block(SHERD_PACKING_CUBIC, 1e-3);
    b.size = (sherd_vec3){0.006, 0.04, 0.04};
    add_block(world, &b, NULL);
    sherd_driver_def def = sherd_driver_def_default();
    def.drive = SHERD_DRIVE_BLAST;
    def.blast = (sherd_blast){.position = {-1.0, 0.0, 0.0}, .charge = 1e-3, .time = 1e-4};
    drive_slab(world, -1.0, 1.0, def);
    advance(world, 2e-3); // sound needs 2.9 ms
    cr_expect(eq(dbl, sherd_world_momentum(world).x, 0.0));
    advance(world, 4e-3);
    sherd_energy e = sherd_world_energy(world);
    // 1 %: the parts that are not listed here.
    double spent = e.kinetic + e.elastic + e.dissipated_bonds + e.dissipated_integration;
    cr_expect(epsilon_eq(dbl, e.work, spent, 0.01 * e.work));
    double momentum = sherd_world_momentum(world).x;
    sherd_world_destroy(world);
    return momentum;
}

Test(surface_forces, blasts_give_their_impulse)
{
    double z = 10.0, root = 0.1, peak = 0.0985478 * 101325.0; // Kinney and Graham at Z = 10
    double impulse =
        root * 6.7 * sqrt(1.0 + pow(z / 0.23, 4.0)) / (z * z * cbrt(1.0 + pow(z / 1.55, 3.0)));
    double reflected = 2.0 * (7.0 * 101325.0 + 4.0 * peak) / (7.0 * 101325.0 + peak);
    double expected = impulse * reflected * 0.04 * 0.04;
    cr_expect(epsilon_eq(dbl, momentum_by_blast(EXPLICIT), expected, 0.12 * expected));
    cr_expect(epsilon_eq(
        dbl, momentum_by_blast((stepping){SHERD_METHOD_IMPLICIT, 0.0, SHERD_SCHEME_AUTO}), expected,
        0.12 * expected));
}

// Faces of a cut are in the open: a pressure from the middle pushes both halves apart, with p A each; without the cut
// nothing faces the middle. Of 10 x 10 elements the rim's look aside, away from the middle: 8 x 8 are left. 10 %: areas.
static double force_from_middle(bool with_cut)
{
    sherd_error error;
    sherd_world *world = world_by(EXPLICIT, (sherd_vec3){0, 0, 0});
    block b = stiff_block(SHERD_PACKING_CUBIC, 1e-3);
    sherd_weakness_def def = sherd_weakness_def_default();
    def.kind = SHERD_WEAKNESS_CUT, def.normal = (sherd_vec3){1, 0, 0}, def.strength = 0.0;
    sherd_weakness *cut = sherd_weakness_create(&def, &error);
    cr_assert(cut != NULL, "%s", error.what);
    sherd_weakness_list list = {1, &cut};
    if (with_cut) b.weakness = &list;
    add_block(world, &b, NULL);
    sherd_driver_def inner = pressure_of(1e4);
    inner.pressure.source = (sherd_vec3){0.0, 0.0, 0.0};
    double force = force_after_a_step(world, drive_slab(world, 0.0, 1.0, inner)).x;
    sherd_world_destroy(world);
    sherd_weakness_destroy(cut);
    return force;
}

Test(surface_forces, faces_of_cracks_are_in_the_open)
{
    cr_expect(eq(dbl, force_from_middle(false), 0.0));
    cr_expect(epsilon_eq(dbl, force_from_middle(true), 0.64 * 4.0, 0.1 * 2.56));
}

// Resumed in the middle of a gust: the same bits.
Test(surface_forces, restored_runs_continue_bit_for_bit)
{
    stepping ways[] = {EXPLICIT, {SHERD_METHOD_AUTO, 0.0, SHERD_SCHEME_AUTO}};
    for (int k = 0; k < 2; ++k) {
        sherd_world *worlds[2];
        for (int w = 0; w < 2; ++w) {
            worlds[w] = world_by(ways[k], (sherd_vec3){0, 0, 0});
            block b = stiff_block(SHERD_PACKING_HCP, 1e-3);
            add_block(worlds[w], &b, NULL);
            sherd_driver_def def = wind_of((sherd_vec3){20, 5, 0});
            def.wind.gust = 5.0, def.wind.gust_size = 0.01;
            drive_slab(worlds[w], -1.0, 1.0, def);
        }
        sherd_error error;
        void *state;
        size_t size;
        advance(worlds[0], 2e-4);
        cr_assert(eq(int, sherd_world_save(worlds[0], &state, &size, &error), SHERD_OK));
        cr_assert(eq(int, sherd_world_restore(worlds[1], state, size, &error), SHERD_OK), "%s",
                  error.what);
        sherd_world_free_state(state);
        for (int w = 0; w < 2; ++w)
            advance(worlds[w], 5e-4);
        cr_expect(eq(u64, sherd_world_state_hash(worlds[0]), sherd_world_state_hash(worlds[1])));
        for (int w = 0; w < 2; ++w)
            sherd_world_destroy(worlds[w]);
    }
}
