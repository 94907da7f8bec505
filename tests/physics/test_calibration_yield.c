// Calibrated solids that yield, against the request: bars of other sizes, radii and seeds than those that calibration tests
// itself, pulled until they flow.
#include "calibration/cache.h"
#include "physics/pulled_bar.h"

#define YIELD_ASKED 20e6
#define HARDENING_ASKED 0.4e9

typedef struct flowing {
    double yield, hardening; // [Pa]
} flowing;

// Pulled by implicit steps of 100 T, in which waves fade. The line through stresses over plastic strains of three to nine
// times that at which bonds yield, as calibration has it; probes' means are of the middle of what was stretched.
static flowing pull_to_flow(bar *b, const sherd_material_def *material, double radius)
{
    enum { PER_YIELD = 2, MOST = 40 };
    sherd_error error;
    sherd_world_def def = sherd_world_def_default();
    def.method = SHERD_METHOD_IMPLICIT;
    def.time_step_in_limits = 100.0;
    double wave = sqrt(E_ASKED / DENSITY_ASKED),
           strain = material->yield_stress / material->youngs_modulus;
    double time = 8.0 * b->size.x / wave; // in which it is stretched by that
    build_with(b, def, material, radius, 0.5 * strain * b->size.x / time);
    line flow = {0};
    for (int k = 1; k <= MOST; ++k) {
        double before, after, across;
        strains(b, &before, &across);
        sherd_world_reset_probes(b->world);
        cr_assert(eq(int, sherd_world_advance(b->world, k * time / PER_YIELD, &error), SHERD_OK));
        double force = sherd_world_probe_driver(b->world, b->grip).force.x;
        double stress = -force / (b->size.y * b->size.z);
        strains(b, &after, &across);
        double plastic = (0.5 * (before + after) - stress / E_ASKED) / strain;
        if (plastic > 9.0) break;
        if (plastic > 3.0) add(&flow, plastic * strain, stress);
    }
    cr_assert(flow.n > 4.0);
    double h = slope(&flow);
    return (flowing){(flow.y - h * flow.x) / flow.n, h};
}

static void check_flow(const char *name, sherd_packing_kind kind, double length, double width,
                       double height)
{
    const double radius = 2.5e-3;
    sherd_calibration_def def = elastic_task(kind);
    def.law = SHERD_BOND_LAW_ROD;
    def.yield_stress = YIELD_ASKED;
    def.hardening_modulus = HARDENING_ASKED;
    sherd_calibration result = calibrate(&def);
    cr_expect(result.hardening_reached);
    sherd_packing_def packing = def.packing;
    packing.radius = radius;
    packing.tetra.size = 4.2 * radius;
    packing.seed = 77;
    bar b = fill_bar(&packing, length * radius, width * radius, height * radius);
    sherd_material_def material = sherd_material_def_default();
    material.density = DENSITY_ASKED;
    material.law = SHERD_BOND_LAW_ROD;
    material.bond_damping = 0.2;
    sherd_calibration_apply(&result, b.packing, &material);
    flowing f = pull_to_flow(&b, &material, radius);
    cr_log_info("%s: yields at %.3f of what was asked, hardens by %.3f", name,
                f.yield / YIELD_ASKED, f.hardening / HARDENING_ASKED);
    cr_expect(epsilon_eq(dbl, f.yield, YIELD_ASKED, 0.05 * YIELD_ASKED), "%s", name);
    cr_expect(epsilon_eq(dbl, f.hardening, HARDENING_ASKED, 0.1 * HARDENING_ASKED), "%s", name);
    drop(&b);
}

Test(calibration_yield, hcp_bar_yields_and_hardens_as_asked)
{
    check_flow("hcp", SHERD_PACKING_HCP, 50.0, 15.0, 14.5);
}

Test(calibration_yield, random_bar_yields_and_hardens_as_asked)
{
    check_flow("random", SHERD_PACKING_RANDOM, 55.0, 18.0, 17.0);
}

Test(calibration_yield, tetra_bar_yields_and_hardens_as_asked)
{
    check_flow("tetra", SHERD_PACKING_TETRA, 50.0, 17.0, 15.0);
}

// Bars of bonds that do not harden show a slope in any case: with that nothing is out of reach.
Test(calibration_yield, no_hardening_is_what_bonds_without_make)
{
    sherd_calibration_def def = elastic_task(SHERD_PACKING_HCP);
    def.law = SHERD_BOND_LAW_ROD;
    def.yield_stress = YIELD_ASKED;
    sherd_calibration result = calibrate(&def);
    cr_assert(result.full.hardening_modulus == 0.0);
    cr_assert(result.hardening_reached);
    cr_assert(lt(dbl, result.hardening_modulus, 0.01 * E_ASKED));
    // Everything is linear in the yield stress.
    def.yield_stress *= 3.0;
    sherd_calibration tripled = calibrate(&def);
    cr_assert(epsilon_eq(dbl, tripled.full.yield_stress, 3.0 * result.full.yield_stress,
                         1e-12 * tripled.full.yield_stress));
    cr_assert(sherd_calibration_same(&def, &def));
    sherd_calibration_def other = def;
    other.yield_stress = YIELD_ASKED;
    bool same = sherd_calibration_same(&def, &other);
    cr_assert(same == false);
}

Test(calibration_yield, only_rods_yield)
{
    sherd_error error;
    sherd_calibration result;
    sherd_calibration_def def = elastic_task(SHERD_PACKING_HCP);
    def.yield_stress = YIELD_ASKED;
    cr_assert(eq(int, sherd_calibrate(&def, &result, &error), SHERD_ERROR_INPUT));
    cr_assert(eq(str, error.where, "calibration.yield_stress"));
    cr_assert(eq(str, error.what, "does not go with bond law quaternion"));
}
