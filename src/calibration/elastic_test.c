#include "calibration/elastic_test.h"

#include "base/error.h"
#include "math/vec3.h"

#include <sherd/world.h>

#include <math.h>

// Strain between the grips: far above rounding, far below large rotations of lattices.
static const double STRAIN = 1e-4;

// Long compared to vibrations of the bar, which last about 1e-4 s.
static const double STEP = 1.0; // [s]

// ---------------------------------------------------------------- straight lines

// Linear regression y = slope x + constant.
typedef struct line {
    double n, x, y, xx, xy;
} line;

static void line_add(line *s, double x, double y)
{
    s->n += 1.0, s->x += x, s->y += y, s->xx += x * x, s->xy += x * y;
}

static double line_spread(const line *s)
{
    return s->n > 0.0 ? s->xx - s->x * s->x / s->n : 0.0;
}

static double line_slope(const line *s)
{
    return (s->xy - s->x * s->y / s->n) / line_spread(s);
}

// ---------------------------------------------------------------- strains

static double along(sherd_vec3 v, int axis)
{
    return axis == 0 ? v.x : axis == 1 ? v.y : v.z;
}

// Reference position and displacement of element k. False outside the gauge.
static bool gauge(const sherd_bar *bar, const sherd_world *world, int32_t k, sherd_vec3 *rest,
                  sherd_vec3 *moved)
{
    sherd_element_view e = sherd_world_elements(world);
    *rest = sherd_world_element(world, k).rest;
    *moved = vec3_sub(vec3(e.x[k], e.y[k], e.z[k]), *rest);
    return fabs(along(*rest, bar->axis)) <= 0.25 * bar->size[bar->axis];
}

double sherd_bar_gauge_strain(const sherd_bar *bar, const sherd_world *world,
                              double *poissons_ratio)
{
    line length = {0}, side[2] = {{0}};
    sherd_vec3 rest, moved;
    for (int32_t k = 0; k < bar->packing->count; ++k) {
        if (!gauge(bar, world, k, &rest, &moved)) continue;
        line_add(&length, along(rest, bar->axis), along(moved, bar->axis));
        for (int s = 0; s < 2; ++s) {
            int axis = sherd_bar_side(bar, s);
            line_add(&side[s], along(rest, axis), along(moved, axis));
        }
    }
    double strain = line_slope(&length), sum = 0.0, sides = 0.0;
    for (int s = 0; s < 2; ++s) {
        if (line_spread(&side[s]) <= 1e-3 * side[s].n * SHERD_BAR_RADIUS * SHERD_BAR_RADIUS)
            continue; // there is a single layer
        sum -= line_slope(&side[s]) / strain;
        sides += 1.0;
    }
    *poissons_ratio = sides > 0.0 ? sum / sides : 0.0;
    return strain;
}

// Curvature about side 1: u_axis = -kappa a s, with a along the bar and s along side 0.
static double curvature(const sherd_bar *bar, const sherd_world *world)
{
    double product = 0.0, square = 0.0;
    sherd_vec3 rest, moved;
    for (int32_t k = 0; k < bar->packing->count; ++k) {
        if (!gauge(bar, world, k, &rest, &moved)) continue;
        double as = along(rest, bar->axis) * along(rest, sherd_bar_side(bar, 0));
        product -= along(moved, bar->axis) * as;
        square += as * as;
    }
    return product / square;
}

// Twist per length: u_side0 = -theta' a t, u_side1 = theta' a s.
static double twist(const sherd_bar *bar, const sherd_world *world)
{
    double product = 0.0, square = 0.0;
    sherd_vec3 rest, moved;
    for (int32_t k = 0; k < bar->packing->count; ++k) {
        if (!gauge(bar, world, k, &rest, &moved)) continue;
        double a = along(rest, bar->axis);
        double s = along(rest, sherd_bar_side(bar, 0)), t = along(rest, sherd_bar_side(bar, 1));
        double us = along(moved, sherd_bar_side(bar, 0)), ut = along(moved, sherd_bar_side(bar, 1));
        product += a * (s * ut - t * us);
        square += a * a * (s * s + t * t);
    }
    return product / square;
}

// ---------------------------------------------------------------- the test

// Motion of the grips that strains the bar by about STRAIN.
static double small_amount(const sherd_bar *bar, sherd_bar_load load)
{
    double stretch = 0.5 * STRAIN * bar->size[bar->axis];
    if (load == SHERD_BAR_PULL) return stretch;
    return stretch / (0.5 * bar->size[sherd_bar_side(bar, 0)]);
}

static void read_result(const sherd_bar *bar, const sherd_bar_world *world, sherd_bar_load load,
                        double amount, sherd_elastic_result *out)
{
    double stress = sherd_bar_stress(bar, world, load);
    *out = (sherd_elastic_result){0};
    double strain = 0.0;
    switch (load) {
    case SHERD_BAR_PULL:
        strain = sherd_bar_gauge_strain(bar, world->world, &out->poissons_ratio);
        break;
    case SHERD_BAR_BEND:
        strain = curvature(bar, world->world) * 0.5 * bar->size[sherd_bar_side(bar, 0)];
        break;
    case SHERD_BAR_TWIST:
        strain =
            twist(bar, world->world) * sherd_bar_torsion(bar) / sherd_bar_torsion_strength(bar);
        break;
    }
    out->modulus = stress / strain / SHERD_BAR_BOND_MODULUS;
    out->strain = strain / amount;
    out->utmost = sherd_world_energy(world->world).max_stress_ratio / amount;
}

sherd_material_def sherd_elastic_material(const sherd_elastic_bonds *bonds)
{
    sherd_material_def material = sherd_material_def_default();
    material.youngs_modulus = SHERD_BAR_BOND_MODULUS;
    material.shear_modulus = bonds->g * SHERD_BAR_BOND_MODULUS;
    material.law = bonds->law;
    material.shear_correction = bonds->shear_correction;
    material.bond_radius = bonds->bond_radius;
    material.breakage = bonds->breakage;
    return material;
}

sherd_status sherd_elastic_test(const sherd_bar *bar, const sherd_elastic_bonds *bonds,
                                sherd_bar_load load, sherd_elastic_result *out,
                                sherd_affine *affine, sherd_error *error)
{
    double amount = small_amount(bar, load);
    sherd_bar_path path = {2, {0.0, STEP}, {0.0, amount}};
    sherd_world_def def = sherd_world_def_default();
    def.method = SHERD_METHOD_IMPLICIT;
    def.scheme = SHERD_SCHEME_EULER;
    def.precision = SHERD_PRECISION_DOUBLE;
    def.time_step = STEP;
    def.accuracy = 1e-3;
    sherd_material_def material = sherd_elastic_material(bonds);
    material.bond_damping = 0.0;
    if (!sherd_breakage_describe(bonds->breakage)->breaks)
        material.breakage = sherd_material_def_default().breakage;
    // Strengths equal to E: nothing breaks, and stress ratios are strains.
    material.tensile_strength = SHERD_BAR_BOND_MODULUS;
    material.shear_strength = SHERD_BAR_BOND_MODULUS / bonds->shear_weight;
    sherd_bar_world world;
    sherd_status status = sherd_bar_world_create(bar, &def, &material, load, &path, &world, error);
    if (status != SHERD_OK) return status;
    // The second step only reduces the residual of the first; the grips' forces are read after it.
    for (int step = 1; step <= 2 && status == SHERD_OK; ++step) {
        sherd_world_reset_probes(world.world);
        status = sherd_world_advance(world.world, step * STEP, error);
    }
    if (status == SHERD_OK) {
        read_result(bar, &world, load, amount, out);
        if (affine != NULL) sherd_affine_of(bar, world.world, bonds->bond_radius, affine);
        if (!(isfinite(out->modulus) && out->modulus > 0.0))
            status = sherd_fail(error, SHERD_ERROR_UNSTABLE, "calibration",
                                "the packing's bonds do not hold a bar together",
                                "a test bar shows a modulus of %g times its bonds'", out->modulus);
    }
    sherd_world_destroy(world.world);
    return status;
}
