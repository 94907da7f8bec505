// Stress of elements, and the criteria that it is compared by.                      sherd/stress.h, sherd/laws.h
#include "material/material.h"
#include "math/quat.h"
#include "math/vec3.h"
#include "models/bonded/storage/bond_measure.h"
#include "output/run/run_columns.h"
#include "world/world.h"

#include "physics/block.h"

#include <stdlib.h>
#include <string.h>

static sherd_material_def material_of(sherd_bond_law law)
{
    sherd_material_def m = sherd_material_def_default();
    m.density = 2000.0;
    m.youngs_modulus = 1e9;
    m.shear_modulus = 4e8;
    m.law = law;
    return m;
}

static sherd_stress *stresses_of(const sherd_world *world)
{
    sherd_stress *stress = calloc((size_t)sherd_world_elements(world).count, sizeof *stress);
    sherd_world_stress(world, stress);
    return stress;
}

static double largest_part(const sherd_stress *s)
{
    double parts[] = {(double)s->xx, (double)s->yy, (double)s->zz,
                      (double)s->xy, (double)s->yz, (double)s->zx};
    double largest = 0.0;
    for (int k = 0; k < 6; ++k)
        largest = fmax(largest, fabs(parts[k]));
    return largest;
}

static void add_grip(sherd_world *world, sherd_vec3 at, sherd_vec3 size, double speed)
{
    sherd_error error;
    sherd_driver_def d = sherd_driver_def_default();
    sherd_shape *box = sherd_shape_box(size, &error);
    d.region.shape = box;
    d.region.pose.position = at;
    d.drive = SHERD_DRIVE_MOTION;
    d.motion.velocity.x = speed;
    cr_assert(sherd_world_add_driver(world, &d, &error).index1 != 0, "%s", error.what);
    sherd_shape_destroy(box);
}

// ---------------------------------------------------------------- what it is

Test(element_stress, principal_values_and_von_mises_of_known_stresses)
{
    const sherd_stress tension = {.yy = 5.0F}, shear = {.xy = 2.0F},
                       all = {3.0F, 3.0F, 3.0F, 0.0F, 0.0F, 0.0F};
    double p[3];
    sherd_stress_principal(&tension, p);
    cr_assert(p[0] == 5.0 && p[1] == 0.0 && p[2] == 0.0);
    cr_assert(epsilon_eq(dbl, sherd_stress_von_mises(&tension), 5.0, 1e-15));
    sherd_stress_principal(&shear, p);
    // Rounding of the eigenvalues.
    cr_assert(epsilon_eq(dbl, p[0], 2.0, 1e-15));
    cr_assert(epsilon_eq(dbl, p[2], -2.0, 1e-15));
    cr_assert(epsilon_eq(dbl, p[1], 0.0, 1e-15));
    cr_assert(epsilon_eq(dbl, sherd_stress_von_mises(&shear), 2.0 * sqrt(3.0), 1e-15));
    cr_assert(epsilon_eq(dbl, sherd_stress_von_mises(&all), 0.0, 1e-15));
}

// A body that has been moved and turned has none, whatever its law.
Test(element_stress, is_none_after_rigid_motion)
{
    for (int law = 0; law < SHERD_BOND_LAW_COUNT; ++law) {
        sherd_world *world = weightless_world(SHERD_METHOD_EXPLICIT, 0.5);
        block b = block_default();
        b.size = (sherd_vec3){0.01, 0.008, 0.008};
        b.material = material_of((sherd_bond_law)law);
        b.velocity = (sherd_vec3){3.0, 0.0, 0.0};
        add_block(world, &b, NULL);
        run_steps(world, 100);
        sherd_elements *e = &world->system.elements;
        sherd_quat turn = quat_normalize((sherd_quat){0.3, -0.2, 0.5, 0.8});
        for (sherd_element_index k = 0; k < e->count; ++k) {
            sherd_vec3 x = quat_rotate(turn, sherd_element_position(e, k));
            sherd_quat q =
                quat_multiply(turn, (sherd_quat){e->qx[k], e->qy[k], e->qz[k], e->qw[k]});
            e->px[k] = x.x, e->py[k] = x.y, e->pz[k] = x.z;
            e->qx[k] = q.x, e->qy[k] = q.y, e->qz[k] = q.z, e->qw[k] = q.w;
        }
        sherd_stress *stress = stresses_of(world);
        // Positions of 10 mm are rounded to 1e-18 m, a strain of 1e-15, and loads are sums of a dozen of E that.
        for (sherd_element_index k = 0; k < e->count; ++k)
            cr_assert(lt(dbl, largest_part(&stress[k]), 1e-12 * 1e9));
        free(stress);
        sherd_world_destroy(world);
    }
}

// All lengths shrink alike: inside, all twelve bonds bear N = E S e over r, and p = 12 r N / (3 V).
Test(element_stress, uniform_compression_has_equal_principal_values)
{
    sherd_world *world = weightless_world(SHERD_METHOD_EXPLICIT, 0.5);
    block b = block_default();
    b.size = (sherd_vec3){0.012, 0.012, 0.012};
    b.material = material_of(SHERD_BOND_LAW_QUATERNION);
    add_block(world, &b, NULL);
    sherd_elements *e = &world->system.elements;
    run_steps(world, 1);
    const double strain = 1e-4;
    for (sherd_element_index k = 0; k < e->count; ++k)
        e->px[k] *= 1.0 - strain, e->py[k] *= 1.0 - strain, e->pz[k] *= 1.0 - strain;
    sherd_stress *stress = stresses_of(world);
    double r = sherd_element_radius(e, 0);
    // V over the body's fraction, which is that of the box.
    double V = 0.012 * 0.012 * 0.012 / e->count;
    double expected = -12.0 * r * (1e9 * M_PI * r * r * strain) / (3.0 * V) * (1.0 - strain);
    int inside = 0;
    for (sherd_element_index k = 0; k < e->count; ++k) {
        double p[3];
        sherd_stress_principal(&stress[k], p);
        const uint32_t *start = world->system.adjacency.start;
        if (start[k + 1] - start[k] < 12) continue;
        ++inside;
        // Sums are made in single precision.
        cr_assert(epsilon_eq(dbl, p[0], expected, 3e-6 * -expected), "%g", p[0] / expected);
        cr_assert(epsilon_eq(dbl, p[2], expected, 3e-6 * -expected), "%g", p[2] / expected);
        cr_assert(lt(dbl, sherd_stress_von_mises(&stress[k]), 3e-6 * -expected));
    }
    cr_assert(lt(int, 50, inside));
    free(stress);
    sherd_world_destroy(world);
}

// Pulled slowly, with what the grip pulls over the section, in slices between the grips.
static void check_pulled(sherd_bond_law law, sherd_packing_kind packing)
{
    sherd_error error;
    sherd_world *world = weightless_world(SHERD_METHOD_EXPLICIT, 0.85);
    block b = block_default();
    b.size = (sherd_vec3){0.03, 0.012, 0.012};
    b.material = material_of(law);
    b.packing = packing;
    b.material.bond_damping = 0.5;
    add_block(world, &b, NULL);
    const sherd_vec3 grip = {0.006, 0.02, 0.02};
    add_grip(world, (sherd_vec3){-0.015, 0, 0}, grip, -0.05);
    sherd_driver_def d = sherd_driver_def_default();
    sherd_shape *box = sherd_shape_box(grip, &error);
    d.region.shape = box;
    d.region.pose.position.x = 0.015;
    d.drive = SHERD_DRIVE_MOTION;
    d.motion.velocity.x = 0.05;
    sherd_driver_id far = sherd_world_add_driver(world, &d, &error);
    sherd_shape_destroy(box);
    run_steps(world, 2000);
    sherd_world_reset_probes(world);
    run_steps(world, 1);
    double force = -sherd_world_probe_driver(world, far).force.x / (0.012 * 0.012);
    sherd_stress *stress = stresses_of(world), sum = {0};
    float count = 0.0F;
    sherd_element_view e = sherd_world_elements(world);
    for (sherd_element_index k = 0; k < e.count; ++k) {
        if (fabs(e.x[k]) > 0.008) continue;
        sum.xx += stress[k].xx, sum.yy += stress[k].yy, sum.xy += stress[k].xy, ++count;
    }
    cr_log_info("law %d, packing %d: %.3f of F/A, across %.3f", (int)law, (int)packing,
                (double)(sum.xx / count) / force, (double)(sum.yy / count) / force);
    // Six elements fill the width, and a lattice's rows end up to half a spacing before a face: the section that bears
    // is smaller or larger than the box by up to 8 % (0.95 in close packings, 1.00 in a cubic one).
    cr_assert(epsilon_eq(dbl, (double)(sum.xx / count), force, 0.08 * force));
    cr_assert(lt(dbl, fabs((double)(sum.yy / count)), 0.02 * force));
    cr_assert(lt(dbl, fabs((double)(sum.xy / count)), 0.02 * force));
    free(stress);
    sherd_world_destroy(world);
}

Test(element_stress, of_a_pulled_bar_is_force_over_section)
{
    for (int law = 0; law < SHERD_BOND_LAW_COUNT; ++law)
        check_pulled((sherd_bond_law)law, SHERD_PACKING_HCP);
    check_pulled(SHERD_BOND_LAW_QUATERNION, SHERD_PACKING_CUBIC);
}

// Of two elements that are pulled apart or pressed together: along x, and the same as von Mises and as the largest or least
// principal value.
static void check_columns(double strain)
{
    sherd_world *world = weightless_world(SHERD_METHOD_EXPLICIT, 0.5);
    block b = block_default();
    b.size = (sherd_vec3){0.004, 0.002, 0.002};
    b.packing = SHERD_PACKING_CUBIC;
    b.material = material_of(SHERD_BOND_LAW_QUATERNION);
    cr_assert(eq(int, add_block(world, &b, NULL), 2));
    run_steps(world, 1);
    sherd_elements *e = &world->system.elements;
    e->px[0] *= 1.0 + strain, e->px[1] *= 1.0 + strain;
    sherd_stress_columns c;
    cr_assert(sherd_stress_columns_create(&c, 2));
    sherd_stress_columns_fill(&c, world);
    // V is half of the box: b/2 N / V.
    double r = sherd_element_radius(e, 0), half = 0.5 * fabs(e->px[1] - e->px[0]);
    double expected = half * (1e9 * M_PI * r * r * strain) / 8e-9;
    const char *names[] = {"stress_xx_pa", strain > 0.0 ? "principal_1_pa" : "principal_3_pa",
                           "von_mises_pa"};
    int found = 0;
    for (int k = 0; k < SHERD_STRESS_COLUMNS; ++k) {
        bool along = false;
        for (int n = 0; n < 3; ++n)
            along = along || strcmp(c.columns[k].name, names[n]) == 0;
        found += along;
        double wanted = along ? expected : 0.0;
        if (strcmp(c.columns[k].name, "von_mises_pa") == 0) wanted = fabs(wanted);
        for (int i = 0; i < 2; ++i) // in single precision
            cr_assert(
                epsilon_eq(dbl, (double)c.columns[k].values[i], wanted, 1e-6 * fabs(expected)),
                "%s", c.columns[k].name);
    }
    cr_assert(eq(int, found, 3));
    sherd_stress_columns_free(&c);
    sherd_world_destroy(world);
}

Test(element_stress, columns_of_frames_are_in_pascals)
{
    check_columns(1e-4);
    check_columns(-1e-4);
}

// ---------------------------------------------------------------- criteria

static const double R = 1e-3, STRENGTH = 2e6, LOW = 2e5;

// Elements in a row, of which the last is pulled.
static sherd_world *row_of(int count, sherd_breakage breakage, sherd_method method)
{
    sherd_error error;
    sherd_world *world = weightless_world(method, 0.85);
    sherd_material_def m = material_of(SHERD_BOND_LAW_QUATERNION);
    m.tensile_strength = LOW;
    m.breakage = breakage;
    m.bond_damping = 0.3;
    sherd_body_def body = sherd_body_def_default();
    const double x[3] = {0.0, 2.0 * R, 4.0 * R}, none[3] = {0.0}, radius[3] = {R, R, R};
    body.count = count;
    body.x = x, body.y = none, body.z = none, body.radius = radius;
    body.material = sherd_world_add_material(world, &m, &error);
    cr_assert(sherd_world_add_body(world, &body, &error).index1 != 0, "%s", error.what);
    const sherd_vec3 size = {R, R, R};
    add_grip(world, (sherd_vec3){0, 0, 0}, size, 0.0);
    add_grip(world, (sherd_vec3){2.0 * R * (count - 1), 0, 0}, size, 2e-3);
    return world;
}

// The force N of every bond when the first breaks, and how many then do.
static void check_row(int count, sherd_breakage breakage, sherd_method method)
{
    sherd_error error;
    // A bond adds r N / V along itself to either end, a third of that to the mean; the middle of three has two.
    double V = 4.0 / 3.0 * M_PI * R * R * R,
           least = breakage == SHERD_BREAKAGE_PRINCIPAL ? 1.0 : 3.0;
    double N = least * V * LOW / R / (count - 1);
    double stretch = N / (1e9 * M_PI * R * R), way = stretch * 2.0 * R * (count - 1);
    sherd_world *world = row_of(count, breakage, method);
    double time = way / 2e-3;
    // Both times are whole numbers of explicit steps.
    double steps = ceil(0.01 * time / default_step(world));
    if (method != SHERD_METHOD_IMPLICIT)
        cr_assert(eq(int, sherd_world_set_time_step(world, 0.01 * time / steps, &error), SHERD_OK));
    cr_assert(eq(int, sherd_world_advance(world, 0.99 * time, &error), SHERD_OK), "%s", error.what);
    cr_assert(eq(int, (int)sherd_world_bonds(world).broken_count, 0));
    float ratio[3];
    sherd_world_stress_ratio(world, ratio);
    // Elongations are up to 1e-3, and so is the growth of b; vibrations of the start have died away.
    cr_assert(epsilon_eq(flt, ratio[1], 0.99F, 2e-3F));
    cr_assert(epsilon_eq(dbl, sherd_world_energy(world).max_stress_ratio, 0.99, 2e-3));
    cr_assert(eq(int, sherd_world_advance(world, 1.01 * time, &error), SHERD_OK), "%s", error.what);
    cr_assert(eq(int, (int)sherd_world_bonds(world).broken_count, count - 1), "method %d",
              (int)method);
    sherd_energy e = sherd_world_energy(world);
    double stored = (count - 1) * 0.5 * N * stretch * 2.0 * R;
    // Between 0.99 and 1.01 of the elongation.
    cr_assert(epsilon_eq(dbl, e.dissipated_fracture, stored, 0.03 * stored));
    cr_assert(lt(dbl, fabs(e.balance_error), 0.005));
    sherd_world_destroy(world);
}

Test(element_stress, criteria_break_at_the_expected_load)
{
    static const sherd_method METHODS[] = {SHERD_METHOD_EXPLICIT, SHERD_METHOD_IMPLICIT,
                                           SHERD_METHOD_AUTO};
    for (int k = 0; k < 3; ++k)
        for (int count = 2; count <= 3; ++count) {
            check_row(count, SHERD_BREAKAGE_HYDROSTATIC, METHODS[k]);
            check_row(count, SHERD_BREAKAGE_PRINCIPAL, METHODS[k]);
        }
}

// A block that is torn, with scattered strengths.
static sherd_world *torn_block(const sherd_material_def *material, sherd_method method, int threads)
{
    sherd_error error;
    sherd_world_def def = sherd_world_def_default();
    def.gravity = (sherd_vec3){0.0, 0.0, 0.0};
    def.threads = threads;
    def.method = method;
    sherd_world *world = sherd_world_create(&def, &error);
    block b = block_default();
    b.size = (sherd_vec3){0.03, 0.012, 0.012};
    b.material = *material;
    add_block(world, &b, NULL);
    for (int end = -1; end <= 1; end += 2)
        add_grip(world, (sherd_vec3){end * 0.0155, 0, 0}, (sherd_vec3){0.005, 0.02, 0.02},
                 end * 0.5);
    return world;
}

static sherd_material_def torn_material(sherd_breakage breakage)
{
    sherd_material_def m = material_of(SHERD_BOND_LAW_QUATERNION);
    m.tensile_strength = STRENGTH;
    m.breakage = breakage;
    m.weibull_modulus = 12.0;
    return m;
}

static sherd_world *torn(sherd_breakage breakage, sherd_method method, int threads)
{
    sherd_material_def m = torn_material(breakage);
    return torn_block(&m, method, threads);
}

Test(element_stress, torn_blocks_do_not_depend_on_threads_and_resume)
{
    sherd_error error;
    for (int law = SHERD_BREAKAGE_HYDROSTATIC; law <= SHERD_BREAKAGE_PRINCIPAL; ++law) {
        sherd_world *straight = torn((sherd_breakage)law, SHERD_METHOD_EXPLICIT, 1),
                    *again = torn((sherd_breakage)law, SHERD_METHOD_EXPLICIT, 3);
        run_steps(straight, 120);
        void *state;
        size_t size;
        cr_assert(eq(int, sherd_world_save(straight, &state, &size, &error), SHERD_OK));
        cr_assert(eq(int, sherd_world_restore(again, state, size, &error), SHERD_OK));
        sherd_world_free_state(state);
        int64_t before = sherd_world_bonds(straight).broken_count;
        run_steps(straight, 200);
        run_steps(again, 200);
        int64_t after = sherd_world_bonds(straight).broken_count;
        cr_assert(before > 0 && before < after, "%lld, %lld", (long long)before, (long long)after);
        cr_assert(sherd_world_state_hash(straight) == sherd_world_state_hash(again));
        cr_assert(lt(dbl, fabs(sherd_world_energy(straight).balance_error), 0.005));
        sherd_world_destroy(straight);
        sherd_world_destroy(again);
    }
}

// What frames say of a world is computed at once for them, and alone for others: the same bits.
static void check_measures(const sherd_world *world)
{
    sherd_error error;
    const sherd_system *s = &world->system;
    size_t n = (size_t)sherd_world_elements(world).count;
    float *ratio = calloc(n, sizeof *ratio), *alone = calloc(n, sizeof *alone);
    sherd_energy energy, separate = sherd_world_energy(world);
    cr_assert(eq(int, sherd_world_measure(world, &energy, ratio, &error), SHERD_OK), "%s",
              error.what);
    sherd_world_stress_ratio(world, alone);
    cr_assert(memcmp(&energy, &separate, sizeof energy) == 0);
    cr_assert(memcmp(ratio, alone, n * sizeof *ratio) == 0);
    cr_assert(energy.max_stress_ratio > 0.0);
    cr_assert(energy.elastic == sherd_bonds_energy(&s->bonds, &s->elements, &s->parallel));
    for (int64_t k = 0; k < s->bonds.count; ++k) {
        if (s->bonds.broken[k]) continue;
        double all = sherd_bond_analyse(&s->bonds, &s->elements, k).stress_ratio;
        cr_assert(sherd_bond_measure(&s->bonds, &s->elements, k).stress_ratio == all, "bond %d",
                  (int)k);
    }
    free(ratio);
    free(alone);
}

Test(element_stress, frames_have_the_energies_and_ratios_that_are_asked_for_alone)
{
    for (int kind = 0; kind < 4; ++kind) {
        sherd_material_def m =
            torn_material(kind == 0 ? SHERD_BREAKAGE_PRINCIPAL : SHERD_BREAKAGE_TENSILE);
        if (kind == 2) m.fracture_energy = 500.0;
        if (kind == 3) m.law = SHERD_BOND_LAW_ROD, m.yield_stress = 0.3 * STRENGTH;
        sherd_world *world = torn_block(&m, SHERD_METHOD_EXPLICIT, 2);
        run_steps(world, 150);
        check_measures(world);
        sherd_world_destroy(world);
    }
}

Test(element_stress, auto_and_implicit_steps_tear_as_explicit_ones_do)
{
    sherd_error error;
    static const sherd_method METHODS[] = {SHERD_METHOD_EXPLICIT, SHERD_METHOD_AUTO};
    sherd_bond_index broken[2];
    for (int k = 0; k < 2; ++k) {
        sherd_world *world = torn(SHERD_BREAKAGE_PRINCIPAL, METHODS[k], 2);
        cr_assert(eq(int, sherd_world_advance(world, 1.2e-3, &error), SHERD_OK), "%s", error.what);
        broken[k] = sherd_world_bonds(world).broken_count;
        cr_assert(lt(dbl, fabs(sherd_world_energy(world).balance_error), 0.005));
        sherd_world_destroy(world);
    }
    // One crack, whose course depends on rounding.
    cr_assert(broken[0] > 100 && broken[1] > 100);
    cr_assert(epsilon_eq(dbl, (double)broken[1], (double)broken[0], 0.4 * (double)broken[0]));
}

Test(element_stress, does_not_go_with_a_fracture_energy)
{
    sherd_error error;
    sherd_material_def m = material_of(SHERD_BOND_LAW_QUATERNION);
    m.tensile_strength = STRENGTH;
    m.fracture_energy = 10.0;
    m.breakage = SHERD_BREAKAGE_PRINCIPAL;
    cr_assert(eq(int, sherd_material_def_check(&m, &error), SHERD_ERROR_INPUT));
    cr_assert(eq(str, error.where, "material.fracture_energy"));
    cr_assert(eq(str, error.what,
                 "does not go with breakage principal, which breaks all bonds of an "
                 "element at once"));
    cr_assert(eq(str, error.hint, "use breakage tensile, absolute or rod"));
}
