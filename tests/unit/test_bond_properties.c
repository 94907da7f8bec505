// Sections, stiffness and strength of single bonds: in the law, in kernels, broken at 0.
#include "base/memory.h"
#include "base/random.h"
#include "math/quat.h"
#include "models/bonded/storage/bond_classes.h"
#include "models/bonded/storage/bond_pass.h"
#include "models/bonded/storage/bond_pieces.h"
#include "unit/reference_kernels.h"

#include <criterion/criterion.h>
#include <criterion/new/assert.h>
#include <math.h>

enum { SIDE = 12, COUNT = SIDE * SIDE * SIDE };

typedef struct lattice {
    sherd_elements elements;
    sherd_bonds bonds;
    sherd_bond_blocks blocks;
    sherd_material_def material;
} lattice;

static double uniform(uint64_t k, double low, double high)
{
    return low + (high - low) * sherd_random_uniform(17, 3, k);
}

static sherd_vec3 random_vector(uint64_t k, double size)
{
    return vec3(uniform(3 * k, -size, size), uniform(3 * k + 1, -size, size),
                uniform(3 * k + 2, -size, size));
}

// A cubic lattice, strained by about 5 %.
static void make_lattice(lattice *l)
{
    sherd_error error;
    *l = (lattice){.material = sherd_material_def_default()};
    l->material.tensile_strength = 3e7;
    l->material.shear_strength = 3e7;
    l->material.weibull_modulus = 4.0;
    sherd_elements *e = &l->elements;
    cr_assert(sherd_elements_resize(e, COUNT, &error) == SHERD_OK);
    for (int k = 0; k < COUNT; ++k) {
        sherd_vec3 constants =
            vec3(1e-3 * (k % SIDE), 1e-3 * (k / SIDE % SIDE), 1e-3 * (k / SIDE / SIDE));
        sherd_vec3 p = vec3_add(constants, random_vector((uint64_t)k, 5e-5));
        sherd_quat q = quat_from_rotation_vector(random_vector((uint64_t)(COUNT + k), 0.05));
        sherd_vec3 v = random_vector((uint64_t)(2 * COUNT + k), 1.0);
        e->radius[k] = 0.5e-3;
        e->mass[k] = 1e-6;
        e->rx[k] = constants.x, e->ry[k] = constants.y, e->rz[k] = constants.z;
        e->px[k] = p.x, e->py[k] = p.y, e->pz[k] = p.z;
        e->qx[k] = q.x, e->qy[k] = q.y, e->qz[k] = q.z, e->qw[k] = q.w;
        e->vx[k] = v.x, e->vy[k] = v.y, e->vz[k] = v.z;
    }
    cr_assert(sherd_bonds_add_near(&l->bonds, e, &l->material, 0, COUNT, 0.1, &(sherd_parallel){2},
                                   &error) == SHERD_OK);
    cr_assert(eq(i64, l->bonds.count, 3 * SIDE * SIDE * (SIDE - 1)));
}

static void arrange(lattice *l, sherd_precision precision)
{
    sherd_error error;
    cr_assert(sherd_bonds_arrange(&l->bonds, &l->elements, precision, &(sherd_parallel){3},
                                  &l->blocks, &error) == SHERD_OK);
    cr_assert(sherd_bond_blocks_find_pieces(&l->blocks, &l->bonds));
}

static void free_lattice(lattice *l)
{
    sherd_elements_free(&l->elements);
    sherd_bonds_free(&l->bonds);
    sherd_bond_blocks_free(&l->blocks);
}

// One of 60 factors, or (with NULL as the context) anything: as a function of where the bond is.
static sherd_bond_scale some_factor(const void *few, sherd_vec3 i, sherd_vec3 j)
{
    sherd_vec3 middle = vec3_scale(0.5e3, vec3_add(i, j)); // [mm]
    double a = 0.5 + 0.5 * sin(12.9898 * middle.x + 78.233 * middle.y + 37.719 * middle.z);
    if (few != NULL) a = floor(3.0 * a) / 3.0;
    return (sherd_bond_scale){.stiffness = 0.5 + a, .strength = 0.25 + a};
}

static void give_factors(lattice *l, bool few)
{
    sherd_error error;
    sherd_bond_scaling scaling;
    sherd_bonds *b = &l->bonds;
    for (int64_t k = 0; k < b->count; k += 2) {
        double a = few ? 0.5 : uniform((uint64_t)k, 0.2, 1.5);
        cr_assert(sherd_bonds_set_section(b, k, a * 1e-6, &error) == SHERD_OK);
    }
    cr_assert(sherd_bonds_scale(b, &l->elements, 0, some_factor, few ? l : NULL,
                                &(sherd_parallel){2}, &scaling, &error) == SHERD_OK);
    cr_assert(scaling.least_strength >= 0.25 && scaling.least_strength < 0.26);
}

// ---------------------------------------------------------------- one bond

static sherd_bond_analysis analysis_with(double section, sherd_bond_scale scale)
{
    lattice l;
    make_lattice(&l);
    sherd_error error;
    int64_t bond = 1000;
    cr_assert(sherd_bonds_set_section(&l.bonds, bond, section, &error) == SHERD_OK);
    cr_assert(sherd_bonds_make_column(&l.bonds, &l.bonds.stiffness, 1.0F));
    l.bonds.stiffness[bond] = (float)scale.stiffness;
    l.bonds.strength[bond] *= (float)scale.strength;
    sherd_bond_analysis a = sherd_bond_analyse(&l.bonds, &l.elements, bond);
    free_lattice(&l);
    return a;
}

// Forces and moments of a bond's formulas are products; rounding of a few dozen of them.
static const double ROUNDING = 1e-13;

// k_n = E S / l0, EI / l0 = E S^2 / (4 pi l0); damping's relaxation time is 2 zeta sqrt(m / k_n).
Test(bond_properties, section_is_that_of_a_round_rod)
{
    lattice l;
    make_lattice(&l);
    sherd_error error;
    sherd_bond_constants before = sherd_bond_constants_of(&l.bonds, &l.elements, 1000);
    double area = 2.0 * M_PI * before.r0 * before.r0;
    cr_assert(sherd_bonds_set_section(&l.bonds, 1000, area, &error) == SHERD_OK);
    sherd_bond_constants constants = sherd_bond_constants_of(&l.bonds, &l.elements, 1000),
                         other = sherd_bond_constants_of(&l.bonds, &l.elements, 1001);
    cr_assert(epsilon_eq(dbl, constants.r0, sqrt(2.0) * before.r0,
                         1e-7 * constants.r0)); // kept as a float
    cr_assert(epsilon_eq(dbl, constants.beta, before.beta / sqrt(2.0), 1e-7 * constants.beta));
    cr_assert(eq(dbl, other.r0, before.r0));
    free_lattice(&l);
}

Test(bond_properties, factors_act_exactly)
{
    const double area = 0x1p-20; // exact as a float, 0.95 mm^2
    sherd_bond_analysis one = analysis_with(area, (sherd_bond_scale){1.0, 1.0});
    sherd_bond_analysis stiff = analysis_with(area, (sherd_bond_scale){4.0, 1.0});
    sherd_bond_analysis strong = analysis_with(area, (sherd_bond_scale){1.0, 0.25});
    cr_assert(epsilon_eq(dbl, stiff.energy, 4.0 * one.energy, ROUNDING * stiff.energy));
    cr_assert(epsilon_eq(dbl, stiff.normal_stress, 4.0 * one.normal_stress,
                         ROUNDING * fabs(stiff.normal_stress)));
    cr_assert(
        epsilon_eq(dbl, stiff.shear_stress, 4.0 * one.shear_stress, ROUNDING * stiff.shear_stress));
    cr_assert(epsilon_eq(dbl, strong.stress_ratio, 4.0 * one.stress_ratio,
                         ROUNDING * strong.stress_ratio));
    cr_assert(eq(dbl, strong.energy, one.energy));
}

// ---------------------------------------------------------------- kernels

static void check_kernels(bool few, sherd_precision precision)
{
    lattice a, b;
    make_lattice(&a), make_lattice(&b);
    give_factors(&a, few), give_factors(&b, few);
    arrange(&a, precision), arrange(&b, precision);
    cr_assert(few ? a.bonds.class_count > 0 : a.bonds.class_count == 0);
    sherd_bonds_apply(&a.bonds, &a.blocks, &a.elements, &(sherd_parallel){1},
                      reference_bond_kernel(precision), NULL);
    sherd_bonds_apply(&b.bonds, &b.blocks, &b.elements, &(sherd_parallel){3}, NULL, NULL);
    static sherd_vec3 force[COUNT];
    int32_t over = 0, found = 0;
    double largest = 0.0;
    for (int k = 0; k < COUNT; ++k)
        force[k] = vec3(0.0, 0.0, 0.0);
    for (int64_t k = 0; k < a.bonds.count; ++k) {
        sherd_bond_analysis one = sherd_bond_analyse(&a.bonds, &a.elements, k);
        over += one.stress_ratio > 1.0;
        largest = fmax(largest, vec3_length(one.force_j));
        force[a.bonds.j[k]] = vec3_add(force[a.bonds.j[k]], one.force_j);
        force[a.bonds.i[k]] = vec3_sub(force[a.bonds.i[k]], one.force_j);
    }
    // A few dozen roundings; in single precision of strains of 5 % and of numbers of their own.
    double rounding = precision == SHERD_PRECISION_DOUBLE ? 1e-13 : 1e-5;
    for (int k = 0; k < COUNT; ++k) {
        sherd_vec3 f = sherd_element_force(&a.elements, k);
        cr_assert(vec3_distance(f, sherd_element_force(&b.elements, k)) == 0.0);
        cr_assert(vec3_distance(f, force[k]) < rounding * largest);
    }
    for (int k = 0; k < a.blocks.count; ++k)
        found += b.blocks.blocks[k].newly_broken_count;
    cr_assert(over > 100 && abs(found - over) <= (precision == SHERD_PRECISION_DOUBLE ? 0 : 1));
    free_lattice(&a), free_lattice(&b);
}

// Few factors make classes and packets, factors of all sizes loose bonds.
Test(bond_properties, kernels_agree_with_one_bond_at_a_time)
{
    for (int few = 0; few < 2; ++few) {
        check_kernels(few, SHERD_PRECISION_DOUBLE);
        check_kernels(few, SHERD_PRECISION_MIXED);
    }
}

// Loads, energy and stress ratio in double on blocks for mixed precision, as implicit steps take them.
Test(bond_properties, potential_agrees_with_one_bond_at_a_time)
{
    for (int few = 0; few < 2; ++few) {
        lattice l;
        make_lattice(&l);
        give_factors(&l, few);
        arrange(&l, SHERD_PRECISION_MIXED);
        sherd_bond_potential p =
            sherd_bonds_evaluate(&l.bonds, &l.blocks, &l.elements, &(sherd_parallel){3});
        double energy = sherd_bonds_energy(&l.bonds, &l.elements, &(sherd_parallel){1});
        double ratio = 0.0;
        for (int64_t k = 0; k < l.bonds.count; ++k)
            ratio = fmax(ratio, sherd_bond_analyse(&l.bonds, &l.elements, k).stress_ratio);
        const double rounding = 3e-7; // loose bonds keep their numbers in single precision
        cr_assert(epsilon_eq(dbl, p.energy, energy, rounding * energy));
        cr_assert(epsilon_eq(dbl, p.stress_ratio, ratio, rounding * ratio));
        free_lattice(&l);
    }
}

// Members of a class agree, whatever was given to whom.
Test(bond_properties, classes_agree_in_section_and_stiffness)
{
    lattice l;
    make_lattice(&l);
    give_factors(&l, true);
    l.material.bond_damping = 0.0; // relaxation times can't tell them apart then
    l.bonds.materials[0].bond_damping = 0.0;
    arrange(&l, SHERD_PRECISION_MIXED);
    cr_assert(l.bonds.class_count >= 3 * 3 * 2); // directions, stiffnesses, sections
    for (int64_t k = 0; k < l.bonds.count; ++k) {
        sherd_bond_constants constants = sherd_bond_constants_of(&l.bonds, &l.elements, k);
        sherd_bond_constants own =
            sherd_bond_constants_from(&l.bonds, &l.bonds.materials[0], &l.elements, k);
        cr_assert(epsilon_eq(dbl, constants.r0, own.r0, 4e-12 * own.r0));
        cr_assert(epsilon_eq(dbl, constants.E, own.E, 4e-12 * own.E));
        cr_assert(epsilon_eq(dbl, constants.G, own.G, 4e-12 * own.G));
    }
    free_lattice(&l);
}

// ---------------------------------------------------------------- pre-cracks

// What crosses the plane x = 5.5 mm.
static bool crosses(sherd_vec3 i, sherd_vec3 j)
{
    return (i.x < 5.5e-3) != (j.x < 5.5e-3);
}

static sherd_bond_scale cut_across(const void *context, sherd_vec3 i, sherd_vec3 j)
{
    bool by_stiffness = context != NULL;
    double factor = crosses(i, j) ? 0.0 : 1.0;
    return by_stiffness ? (sherd_bond_scale){factor, 1.0} : (sherd_bond_scale){1.0, factor};
}

// Broken, and of no effect in any kernel; nothing else changes.
Test(bond_properties, factor_zero_is_broken)
{
    for (int variant = 0; variant < 2; ++variant) {
        lattice l, whole;
        sherd_error error;
        sherd_bond_scaling scaling;
        make_lattice(&l), make_lattice(&whole);
        cr_assert(sherd_bonds_scale(&l.bonds, &l.elements, 0, cut_across, variant ? &l : NULL,
                                    &(sherd_parallel){3}, &scaling, &error) == SHERD_OK);
        cr_assert(eq(i64, l.bonds.broken_count, SIDE * SIDE));
        cr_assert(eq(dbl, scaling.least_strength, 1.0));
        cr_assert(eq(i64, scaling.broken, SIDE * SIDE));
        cr_assert(eq(i64, scaling.weakened, 0));
        cr_assert(l.bonds.stiffness == NULL); // nothing differs in it
        arrange(&l, SHERD_PRECISION_MIXED), arrange(&whole, SHERD_PRECISION_MIXED);
        for (int64_t k = 0; k < whole.bonds.count; ++k) {
            sherd_vec3 i = sherd_element_rest(&l.elements, l.bonds.i[k]),
                       j = sherd_element_rest(&l.elements, l.bonds.j[k]);
            cr_assert(eq(i32, l.bonds.i[k], whole.bonds.i[k]));
            cr_assert(eq(i32, l.bonds.j[k], whole.bonds.j[k]));
            cr_assert(eq(flt, l.bonds.strength[k], whole.bonds.strength[k]));
            cr_assert(eq(u8, l.bonds.broken[k], crosses(i, j)));
            if (crosses(i, j)) whole.bonds.broken[k] = 1;
        }
        cr_assert(sherd_bond_blocks_refresh(&whole.blocks, &whole.bonds, &whole.elements,
                                            whole.bonds.broken, &error) == SHERD_OK);
        sherd_bonds_apply(&l.bonds, &l.blocks, &l.elements, &(sherd_parallel){2}, NULL, NULL);
        sherd_bonds_apply(&whole.bonds, &whole.blocks, &whole.elements, &(sherd_parallel){2}, NULL,
                          NULL);
        for (int k = 0; k < COUNT; ++k)
            cr_assert(vec3_distance(sherd_element_force(&l.elements, k),
                                    sherd_element_force(&whole.elements, k)) == 0.0);
        free_lattice(&l), free_lattice(&whole);
    }
}

// On one side of the plane stiffer and weaker, on the other softer and stronger; nothing is cut.
static sherd_bond_scale two_sides(const void *context, sherd_vec3 i, sherd_vec3 j)
{
    (void)context;
    if (crosses(i, j)) return (sherd_bond_scale){1.0, 1.0};
    return i.x < 5.5e-3 ? (sherd_bond_scale){.stiffness = 3.0, .strength = 0.5}
                        : (sherd_bond_scale){.stiffness = 0.25, .strength = 2.0};
}

Test(bond_properties, factors_above_and_below_one_are_counted)
{
    lattice l;
    sherd_error error;
    sherd_bond_scaling s;
    make_lattice(&l);
    cr_assert(sherd_bonds_scale(&l.bonds, &l.elements, 0, two_sides, NULL, &(sherd_parallel){2}, &s,
                                &error) == SHERD_OK);
    cr_assert(eq(i64, s.broken, 0));
    cr_assert(s.weakened > 0 && s.strengthened > 0);
    cr_assert(eq(i64, s.weakened, s.stiffened));
    cr_assert(eq(i64, s.strengthened, s.softened));
    cr_assert(eq(i64, s.weakened + s.strengthened, l.bonds.count - SIDE * SIDE));
    cr_assert(s.least_strength == 0.5 && s.largest_strength == 2.0);
    cr_assert(s.least_stiffness == 0.25 && s.largest_stiffness == 3.0);
    free_lattice(&l);
}

static sherd_bond_scale nonsense(const void *context, sherd_vec3 i, sherd_vec3 j)
{
    (void)j;
    double value = *(const double *)context;
    return (sherd_bond_scale){.stiffness = 1.0, .strength = i.x > 3e-3 ? value : 1.0};
}

Test(bond_properties, factors_that_are_none_are_refused)
{
    const double values[] = {-0.5, NAN, INFINITY, 1e-300};
    for (size_t k = 0; k < sizeof values / sizeof values[0]; ++k) {
        lattice l;
        sherd_error error;
        sherd_bond_scaling scaling;
        make_lattice(&l);
        sherd_status status = sherd_bonds_scale(&l.bonds, &l.elements, 0, nonsense, &values[k],
                                                &(sherd_parallel){2}, &scaling, &error);
        if (k == 3) // too small for a float: as good as 0
            cr_assert(status == SHERD_OK && l.bonds.broken_count > 0);
        else
            cr_assert(status == SHERD_ERROR_INPUT);
        free_lattice(&l);
    }
}
