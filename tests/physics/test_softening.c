// Bonds that soften with a fracture energy.                                       laws/breakage/softening.h
#include "material/material.h"
#include "material/strength.h"
#include "models/bonded/softening/softening_pass.h"
#include "world/energy.h"
#include "world/world.h"

#include "physics/driven_pair.h"
#include "simd_levels.h"

// A material whose bonds of elements of 1 mm have u_c = 2 E G_f / (sigma_c^2 l0) = 5.
static sherd_material_def softening(void)
{
    sherd_material_def m = sherd_material_def_default();
    m.density = 2000.0;
    m.youngs_modulus = 1e9;
    m.shear_modulus = 4e8;
    m.tensile_strength = 2e6;
    m.shear_strength = 2e6;
    m.fracture_energy = 0.5 * 5.0 * 2e6 * 2e6 / 1e9 * 2e-3;
    return m;
}

static const double L0 = 2e-3, W0 = 2e6 / 1e9 * 2e-3, CRITICAL = 5.0, SECTION = M_PI * 1e-6;

// ---------------------------------------------------------------- one bond, whose ends are driven

enum { PULL, SHEAR };

// Shear strength at which a bond that is sheared stores as much as one that is pulled.
static const double TAU = 2e6 * 0.6324555320336759;

// Opened to 2, back nearly to nothing, closed to -1, opened to 3.5, closed again, opened beyond all.
static const double PATH[] = {0.0, 2.0, 0.2, -1.0, 3.5, -0.5, 5.5};
enum { KEYS = sizeof PATH / sizeof PATH[0] };
static const double LEG = 2e-4; // [s]

static void path_keys(int mode, sherd_motion_key keys[KEYS])
{
    for (int k = 0; k < KEYS; ++k) {
        double way = PATH[k] * W0;
        // A displacement y across turns the bond by atan(y / l0): as much shear stress as the strength at tau_c / G.
        if (mode == SHEAR) way = L0 * tan(PATH[k] * TAU / 4e8);
        keys[k] = (sherd_motion_key){.time = k * LEG};
        *(mode == PULL ? &keys[k].translation.x : &keys[k].translation.y) = way;
    }
}

static double way_of(const sherd_world *world)
{
    const sherd_elements *e = &world->system.elements;
    return (e->px[1] - e->px[0] - L0) / W0;
}

// What a bond that has been open to `most` bears at `open`, over its strength.
static double traction(double open, double most)
{
    double integrity = most <= 1.0 ? 1.0 : fmax(CRITICAL - most, 0.0) / (most * (CRITICAL - 1.0));
    return open > 0.0 ? integrity * open : open;
}

// In explicit steps the traction is that of the closed form at every opening, whichever way it goes, and what parting
// took is G_f S.
Test(softening, traction_follows_the_closed_form)
{
    sherd_motion_key keys[KEYS];
    path_keys(PULL, keys);
    sherd_material_def m = softening();
    m.bond_damping = 0.0;
    sherd_world *world = driven_pair(&m, SHERD_METHOD_EXPLICIT, keys, KEYS);
    double dt = default_step(world), most = 0.0, worst = 0.0;
    int softened = 0, pressed = 0;
    for (double t = 0.0; t < (KEYS - 1) * LEG && sherd_world_bonds(world).broken_count == 0;
         t += dt) {
        run_steps(world, 1);
        double open = way_of(world);
        most = fmax(most, open);
        if (sherd_world_bonds(world).broken_count > 0) break;
        softened += most > 1.0, pressed += open < 0.0 && most > 1.0;
        sherd_bond_analysis a =
            sherd_bond_analyse(&world->system.bonds, &world->system.elements, 0);
        worst = fmax(worst, fabs(a.normal_stress / m.tensile_strength - traction(open, most)));
    }
    cr_assert(softened > 500 && pressed > 100, "%d %d", softened, pressed);
    // Largest openings are stored in single precision: 6e-8 of up to 3.5.
    cr_assert(lt(dbl, worst, 5e-7));
    cr_assert(sherd_world_bonds(world).broken_count == 1);
    sherd_energy e = sherd_world_energy(world);
    double parting = m.fracture_energy * SECTION;
    // It parts within a step of the opening that is enough.
    cr_assert(epsilon_eq(dbl, e.dissipated_softening, parting, 1e-3 * parting));
    cr_assert(epsilon_eq(dbl, e.work, parting, 1e-3 * parting));
    cr_assert(epsilon_eq(dbl, e.elastic, 0.0, 1e-6 * parting));
    cr_assert(lt(dbl, fabs(e.balance_error), 1e-4));
    sherd_world_destroy(world);
}

static sherd_energy after_path(const sherd_material_def *m, int mode, sherd_method method)
{
    sherd_error error;
    sherd_motion_key keys[KEYS];
    path_keys(mode, keys);
    sherd_world *world = driven_pair(m, method, keys, KEYS);
    cr_assert(eq(int, sherd_world_advance(world, (KEYS - 1) * LEG, &error), SHERD_OK), "%s",
              error.what);
    cr_assert(sherd_world_bonds(world).broken_count == 1);
    sherd_energy e = sherd_world_energy(world);
    sherd_world_destroy(world);
    return e;
}

// A bond that is sheared off takes G_f S, too. What it stores at its strength is (tau_c / sigma_c)^2 E/G times what it
// does when it is pulled to sigma_c, here once: it opens to 5, too. A shear stress softens in both directions; here it
// goes to 3.5 and back to -0.5 before it parts.
Test(softening, shear_softens_too)
{
    sherd_material_def m = softening();
    m.bond_damping = 0.0;
    m.shear_strength = TAU;
    sherd_energy e = after_path(&m, SHEAR, SHERD_METHOD_EXPLICIT);
    double parting = m.fracture_energy * SECTION;
    // Strains are up to 0.017: l grows by half of its square, shear's lever shrinks.
    cr_assert(epsilon_eq(dbl, e.dissipated_softening, parting, 3e-3 * parting));
    cr_assert(lt(dbl, fabs(e.balance_error), 1e-3));
}

// Opened at an angle to its axis a bond takes cos^2 of it times G_f S, in explicit steps as in implicit ones; and half
// beyond 45 degrees.
static void check_angle(double degrees, sherd_method method)
{
    sherd_material_def m = softening();
    m.bond_damping = 0.0;
    m.shear_strength = 1e9;
    m.fracture_energy *= 4.0; // so that bonds that are sheared as well do not break at once
    double c = cos(degrees * M_PI / 180.0), s = sin(degrees * M_PI / 180.0), way = 40.0 * W0 / c;
    const sherd_motion_key keys[2] = {{.time = 0.0},
                                      {.time = 2e-3, .translation = {way * c, way * s, 0.0}}};
    sherd_error error;
    sherd_world *world = driven_pair(&m, method, keys, 2);
    cr_assert(eq(int, sherd_world_advance(world, 2e-3, &error), SHERD_OK), "%s", error.what);
    cr_assert(sherd_world_bonds(world).broken_count == 1);
    sherd_energy e = sherd_world_energy(world);
    double parting = fmax(c * c, 0.5) * m.fracture_energy * SECTION;
    // It turns by its shear strain on the way, of up to 0.04 (at 30 degrees) to 0.07 (60), and phi by as much:
    // 2 tan(phi) of that, averaged over the way.
    double off = degrees < 45.0 ? 0.03 : 0.01;
    cr_assert(epsilon_eq(dbl, e.dissipated_softening, parting, off * parting), "%g degrees: %g",
              degrees, e.dissipated_softening / parting);
    cr_assert(lt(dbl, fabs(e.balance_error), 1e-3));
    sherd_world_destroy(world);
}

Test(softening, bonds_opened_at_an_angle_take_less)
{
    static const sherd_method METHODS[] = {SHERD_METHOD_EXPLICIT, SHERD_METHOD_IMPLICIT};
    for (int k = 0; k < 2; ++k) {
        check_angle(0.0, METHODS[k]);
        check_angle(15.0, METHODS[k]);
        check_angle(30.0, METHODS[k]);
        check_angle(60.0, METHODS[k]);
    }
}

// What implicit steps book is that of the openings between which they went: exact for a bond that is pulled.
Test(softening, implicit_steps_take_the_fracture_energy)
{
    sherd_material_def m = softening();
    m.bond_damping = 0.0;
    sherd_energy e = after_path(&m, PULL, SHERD_METHOD_IMPLICIT);
    double parting = m.fracture_energy * SECTION;
    // Openings are single precision.
    cr_assert(epsilon_eq(dbl, e.dissipated_softening, parting, 1e-6 * parting));
    cr_assert(lt(dbl, fabs(e.balance_error), 1e-6));
}

// ---------------------------------------------------------------- two bonds in a row

// The second has 0.9 of the strength, and softens while the first unloads.
static sherd_bond_scale weaker_second(const void *context, sherd_vec3 i, sherd_vec3 j)
{
    (void)context;
    return (sherd_bond_scale){1.0, i.x + j.x > 2.0 * L0 ? 0.9 : 1.0};
}

static sherd_world *chain(sherd_method method, double way, double time)
{
    sherd_error error;
    sherd_world *world = weightless_world(method, 0.85);
    sherd_material_def m = softening();
    m.bond_damping = 0.5;
    sherd_body_def body = sherd_body_def_default();
    const double x[3] = {0.0, L0, 2.0 * L0}, none[3] = {0.0}, radius[3] = {1e-3, 1e-3, 1e-3};
    body.count = 3;
    body.x = x, body.y = none, body.z = none, body.radius = radius;
    body.bond_scale = weaker_second;
    body.material = sherd_world_add_material(world, &m, &error);
    cr_assert(sherd_world_add_body(world, &body, &error).index1 != 0, "%s", error.what);
    const sherd_motion_key keys[2] = {{.time = 0.0}, {.time = time, .translation = {way, 0, 0}}};
    for (int end = 0; end < 2; ++end) {
        sherd_driver_def d = sherd_driver_def_default();
        sherd_shape *box = sherd_shape_box((sherd_vec3){1e-3, 1e-3, 1e-3}, &error);
        d.region.shape = box;
        d.region.pose.position.x = x[2 * end];
        d.drive = SHERD_DRIVE_MOTION;
        if (end == 1) d.motion.keys = keys, d.motion.key_count = 2;
        cr_assert(sherd_world_add_driver(world, &d, &error).index1 != 0, "%s", error.what);
        sherd_shape_destroy(box);
    }
    return world;
}

// With w = 0.9 W0 the second's elongation at its strength and u_c = 5 / 0.81 its critical opening, the traction t over
// that strength follows from  t w + w (1 + (1 - t) (u_c - 1)) = way.
static void check_chain(sherd_method method, double way)
{
    sherd_error error;
    double w = 0.9 * W0, critical = CRITICAL / 0.81, time = 4e-3;
    double t = (critical - way / w) / (critical - 2.0);
    sherd_world *world = chain(method, way, time);
    cr_assert(eq(int, sherd_world_advance(world, time, &error), SHERD_OK), "%s", error.what);
    sherd_system *s = &world->system;
    double sigma = sherd_bond_analyse(&s->bonds, &s->elements, 0).normal_stress;
    double expected = fmax(t, 0.0) * 0.9 * 2e6;
    // Rounds end within a thousandth of the opening, which is up to 5; the middle moves, and has inertia.
    cr_assert(epsilon_eq(dbl, sigma, expected, 5e-3 * 2e6), "%g for %g", sigma, expected);
    sherd_energy e = sherd_world_energy(world);
    double opening = 1.0 + (1.0 - fmax(t, 0.0)) * (critical - 1.0);
    double lost = (opening - 1.0) / (critical - 1.0) * 0.5 * 5.0 * 2e6 * 2e6 / 1e9 * L0 * SECTION;
    cr_assert(epsilon_eq(dbl, e.dissipated_softening, lost, 5e-3 * lost));
    cr_assert(lt(dbl, fabs(e.balance_error), 0.005));
    cr_assert(eq(int, sherd_world_bonds(world).broken_count, t <= 0.0), "method %d, way %g",
              (int)method, way / W0);
    sherd_world_destroy(world);
}

Test(softening, a_chain_unloads_while_its_weakest_bond_opens)
{
    static const sherd_method METHODS[] = {SHERD_METHOD_EXPLICIT, SHERD_METHOD_IMPLICIT,
                                           SHERD_METHOD_AUTO};
    for (int k = 0; k < 3; ++k) {
        check_chain(METHODS[k], 2.5 * W0);
        check_chain(METHODS[k], 4.5 * W0);
        check_chain(METHODS[k], 6.5 * W0);
    }
}

// ---------------------------------------------------------------- bodies

// A block that is pulled apart, in which bonds of all directions soften.
static sherd_world *torn(sherd_method method, int threads, sherd_precision precision)
{
    sherd_error error;
    sherd_world_def def = sherd_world_def_default();
    def.gravity = (sherd_vec3){0.0, 0.0, 0.0};
    def.threads = threads;
    def.method = method;
    def.precision = precision;
    sherd_world *world = sherd_world_create(&def, &error);
    block b = block_default();
    b.size = (sherd_vec3){0.03, 0.012, 0.012};
    b.material = softening();
    b.material.weibull_modulus = 12.0;
    add_block(world, &b, NULL);
    draw_ends_apart(world, 0.5);
    return world;
}

Test(softening, energy_of_a_torn_block_adds_up)
{
    sherd_world *world = torn(SHERD_METHOD_EXPLICIT, 2, SHERD_PRECISION_DOUBLE);
    double worst = 0.0;
    for (int k = 0; k < 40; ++k) {
        run_steps(world, 100);
        worst = fmax(worst, fabs(sherd_world_energy(world).balance_error));
    }
    sherd_energy e = sherd_world_energy(world);
    cr_assert(sherd_world_bonds(world).broken_count > 50);
    cr_assert(e.dissipated_softening > 2.0 * e.dissipated_fracture);
    // What the issue of energies asks of explicit runs.
    cr_assert(lt(dbl, worst, 0.005));
    sherd_world_destroy(world);
}

static int count_softening(const sherd_world *world)
{
    const sherd_bonds *bonds = &world->system.bonds;
    int count = 0;
    for (int64_t k = 0; k < bonds->count; ++k)
        count += sherd_bond_softens(bonds, k);
    return count;
}

// Nor on how long vectors are: the last one has shorter ones, where the machine has both.
Test(softening, results_do_not_depend_on_threads)
{
    sherd_error error;
    uint64_t hash[3];
    const int threads[3] = {1, 2, 3};
    for (int k = 0; k < 3; ++k) {
        if (k == 2) use_level_if_there("avx2");
        sherd_world *world = torn(SHERD_METHOD_EXPLICIT, threads[k], SHERD_PRECISION_MIXED);
        run_steps(world, 1500);
        hash[k] = sherd_world_state_hash(world);
        cr_assert(count_softening(world) > 20);
        sherd_world_destroy(world);
    }
    cr_assert(eq(int, sherd_simd_choose("auto", &error), SHERD_OK));
    cr_assert(hash[0] == hash[1] && hash[0] == hash[2]);
}

// A world restored in the middle goes on bit for bit.
static void check_resumed(sherd_method method, int64_t before, int64_t after)
{
    sherd_error error;
    sherd_world *straight = torn(method, 2, SHERD_PRECISION_MIXED),
                *again = torn(method, 2, SHERD_PRECISION_MIXED);
    run_steps(straight, before);
    cr_assert(count_softening(straight) > 20);
    void *state;
    size_t size;
    cr_assert(eq(int, sherd_world_save(straight, &state, &size, &error), SHERD_OK));
    cr_assert(eq(int, sherd_world_restore(again, state, size, &error), SHERD_OK), "%s", error.what);
    sherd_world_free_state(state);
    run_steps(straight, after);
    run_steps(again, after);
    sherd_energy a = sherd_world_energy(straight), b = sherd_world_energy(again);
    cr_assert(sherd_world_state_hash(straight) == sherd_world_state_hash(again));
    cr_assert(a.dissipated_softening == b.dissipated_softening);
    cr_assert(sherd_world_bonds(straight).broken_count > 0);
    sherd_world_destroy(straight);
    sherd_world_destroy(again);
}

Test(softening, resumed_runs_go_on_bit_for_bit)
{
    check_resumed(SHERD_METHOD_EXPLICIT, 1500, 1500);
}

// In the same time as 4000 explicit steps: what is softened and booked is what explicit steps have, within what one
// crack differs from another by, and the account closes without much left to integration.
Test(softening, implicit_steps_tear_a_block_as_well)
{
    sherd_error error;
    sherd_world *world[2] = {torn(SHERD_METHOD_EXPLICIT, 2, SHERD_PRECISION_MIXED),
                             torn(SHERD_METHOD_AUTO, 2, SHERD_PRECISION_MIXED)};
    double time = 4000.0 * default_step(world[0]);
    sherd_energy e[2];
    for (int k = 0; k < 2; ++k) {
        cr_assert(eq(int, sherd_world_advance(world[k], time, &error), SHERD_OK), "%s", error.what);
        e[k] = sherd_world_energy(world[k]);
        cr_assert(sherd_world_bonds(world[k]).broken_count > 50);
        cr_assert(lt(dbl, fabs(e[k].balance_error), 0.005));
    }
    cr_assert(epsilon_eq(dbl, e[1].dissipated_softening, e[0].dissipated_softening,
                         0.1 * e[0].dissipated_softening));
    double scale = sherd_energy_largest(&e[1]);
    cr_assert(lt(dbl, fabs(e[1].dissipated_integration), 0.02 * scale));
    for (int k = 0; k < 2; ++k)
        sherd_world_destroy(world[k]);
}

// The pass on vectors gives every bond what one bond at a time gets.
Test(softening, pass_agrees_with_single_bonds)
{
    sherd_world *world = torn(SHERD_METHOD_EXPLICIT, 1, SHERD_PRECISION_DOUBLE);
    run_steps(world, 1500);
    sherd_system *s = &world->system;
    cr_assert(sherd_softening_list_find(&s->blocks.softening, &s->bonds, &s->elements));
    sherd_softening_sum sum =
        sherd_softening_evaluate(&s->blocks, &s->bonds, &s->elements, &s->parallel);
    const sherd_softening_list *list = &s->blocks.softening;
    double energy = 0.0, off = 0.0, largest = 0.0;
    for (int32_t k = 0; k < list->count; ++k) {
        sherd_bond_analysis a = sherd_bond_analyse(&s->bonds, &s->elements, list->bonds[k].bond);
        const sherd_softening_result *r = &list->results[k];
        energy += a.energy;
        largest = fmax(largest, fabs(a.force_j.x));
        off = fmax(off, fabs(a.force_j.x - r->force_j.x) + fabs(a.force_j.y - r->force_j.y));
        off = fmax(off, fabs(a.torque_i.z - r->torque_i.z) / 1e-3);
    }
    cr_assert(list->count > 20);
    // Roundings of 1e-16 of places make 1e-13 of forces, at strains of 1e-3; torques are forces times lengths.
    cr_assert(lt(dbl, off, 1e-10 * largest));
    cr_assert(epsilon_eq(dbl, sum.energy, energy, 1e-12 * energy));
    sherd_world_destroy(world);
}

// ---------------------------------------------------------------- bonds too long for their strength

// E G_f / (sigma_c^2 l0) = 1/8: at sigma_c bonds store four times G_f S. At half of it they store just that, and so at
// sigma_c elements of a quarter of the radius.
static sherd_material_def too_strong(void)
{
    sherd_material_def m = softening();
    m.fracture_energy *= 0.25 / CRITICAL;
    m.bond_damping = 0.0;
    return m;
}

Test(softening, strengths_are_reduced_so_that_parting_takes_the_fracture_energy)
{
    sherd_material_def m = too_strong();
    sherd_error error;
    const sherd_motion_key keys[2] = {{.time = 0.0}, {.time = 1e-3, .translation = {W0, 0.0, 0.0}}};
    sherd_world *world = driven_pair(&m, SHERD_METHOD_EXPLICIT, keys, 2);
    sherd_body_bonds b = sherd_world_body_bonds(world, 0);
    cr_assert(b.count == 1 && b.reduced == 1);
    // Factors on strengths are single precision.
    cr_assert(epsilon_eq(dbl, b.least_reduction, 0.5, 1e-7));
    cr_assert(epsilon_eq(dbl, b.unreduced_radius, 0.25e-3, 1e-10));
    cr_assert(eq(int, sherd_world_advance(world, 1e-3, &error), SHERD_OK), "%s", error.what);
    sherd_energy e = sherd_world_energy(world);
    double parting = m.fracture_energy * SECTION;
    // A step opens it by less than a thousandth of what it breaks at.
    cr_assert(epsilon_eq(dbl, e.dissipated_fracture, parting, 2e-3 * parting));
    cr_assert(e.dissipated_softening == 0.0);
    sherd_world_destroy(world);
}

Test(softening, strict_refuses_reductions)
{
    sherd_error error;
    sherd_material_def m = too_strong();
    m.strict = true;
    sherd_world *world = weightless_world(SHERD_METHOD_EXPLICIT, 0.85);
    sherd_body_def body = sherd_body_def_default();
    const double x[2] = {0.0, L0}, none[2] = {0.0, 0.0}, radius[2] = {1e-3, 1e-3};
    body.name = "pair";
    body.solid_fraction = 4.0 / 3.0; // a crack through it has the area of the bond's section
    body.count = 2;
    body.x = x, body.y = none, body.z = none, body.radius = radius;
    body.material = sherd_world_add_material(world, &m, &error);
    cr_assert(sherd_world_add_body(world, &body, &error).index1 == 0);
    cr_assert(eq(str, error.where, "pair"));
    cr_assert(eq(str, error.what,
                 "1 bonds store more than their fracture energy when they reach their strength, "
                 "which `strict` refuses: elements may have a radius of up to 0.00025 m"));
    sherd_world_destroy(world);
}

// K_Ic of 1.5 MPa m^0.5 with E 60 GPa and nu 0.25.
Test(softening, toughness_makes_an_energy)
{
    sherd_material_def m = sherd_material_def_default();
    cr_assert(sherd_material_fracture_energy(&m) == 0.0);
    m.youngs_modulus = 60e9, m.shear_modulus = 24e9;
    m.tensile_strength = m.shear_strength = 60e6;
    m.fracture_toughness = 1.5e6;
    cr_assert(epsilon_eq(dbl, sherd_material_fracture_energy(&m), 35.15625, 1e-12));
    sherd_error error;
    m.fracture_energy = 35.2; // within 1 %
    cr_assert(eq(int, sherd_material_def_check(&m, &error), SHERD_OK));
    cr_assert(sherd_material_fracture_energy(&m) == 35.2);
}
