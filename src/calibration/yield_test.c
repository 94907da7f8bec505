#include "calibration/yield_test.h"

#include "base/error.h"

#include <sherd/world.h>

#include <math.h>

// Yield stress of bonds over their E: strains are so small that results are proportional to it.
static const double YIELD = 1e-3;

// Time step, long compared to vibrations of the bar, as in elastic tests [s]; stretch of the bar in
// one step, over the yield strain of bonds. The test ends after so many steps.
static const double STEP = 1.0, STRETCH = 0.5;
enum { MAX_STEPS = 100 };

typedef struct state {
    double plastic, stress; // strain; over that of bonds that yield
} state;

// Interpolates between two states to a plastic strain.
static double stress_at(const state *a, const state *b, double plastic)
{
    return a->stress + (b->stress - a->stress) * (plastic - a->plastic) / (b->plastic - a->plastic);
}

typedef struct pulling {
    const sherd_bar *bar;
    const sherd_elastic_result *elastic;
    sherd_bar_world world;
    sherd_calibration_curve *curve;
    int steps;
    double strain; // at the end of the step
} pulling;

static sherd_status pull_on(pulling *p, state *now, sherd_error *error)
{
    double side;
    sherd_world_reset_probes(p->world.world);
    sherd_status status = sherd_world_advance(p->world.world, ++p->steps * STEP, error);
    if (status != SHERD_OK) return status;
    double stress = sherd_bar_stress(p->bar, &p->world, SHERD_BAR_PULL) / SHERD_BAR_BOND_MODULUS;
    // A probe's mean over a step is that of its start and end.
    double end = sherd_bar_gauge_strain(p->bar, p->world.world, &side);
    double strain = 0.5 * (p->strain + end);
    p->strain = end;
    *now = (state){(strain - stress / p->elastic->modulus) / YIELD, stress / YIELD};
    sherd_calibration_curve *c = p->curve;
    if (c != NULL && c->count < SHERD_CALIBRATION_POINTS) {
        c->strain[c->count] = strain / YIELD;
        c->stress[c->count++] = now->stress;
    }
    return SHERD_OK;
}

static sherd_status pull_until_it_flows(pulling *p, sherd_yield_result *out, sherd_error *error)
{
    state before, now = {0};
    double at[2] = {0.0};
    const double marks[2] = {SHERD_YIELD_FROM, SHERD_YIELD_TO};
    sherd_status status = SHERD_OK;
    for (int mark = 0; mark < 2 && status == SHERD_OK;) {
        if (p->steps == MAX_STEPS)
            return sherd_fail(error, SHERD_ERROR_UNSTABLE, "calibration", NULL,
                              "a test bar did not flow");
        before = now;
        status = pull_on(p, &now, error);
        for (; mark < 2 && now.plastic >= marks[mark]; ++mark)
            at[mark] = stress_at(&before, &now, marks[mark]);
    }
    double slope = (at[1] - at[0]) / (marks[1] - marks[0]);
    *out = (sherd_yield_result){at[0] - slope * marks[0], slope};
    return status;
}

static sherd_material_def material_of(const sherd_yield_bonds *bonds)
{
    sherd_material_def material = sherd_elastic_material(&bonds->elastic);
    material.law = SHERD_BOND_LAW_ROD; // those that yield
    material.breakage = SHERD_BREAKAGE_NONE;
    material.bond_damping = 0.0;
    material.yield_stress = YIELD * SHERD_BAR_BOND_MODULUS;
    material.weibull_modulus = bonds->weibull_modulus;
    material.seed = 1;
    material.hardening_modulus = bonds->hardening * SHERD_BAR_BOND_MODULUS;
    return material;
}

sherd_status sherd_yield_test(const sherd_bar *bar, const sherd_yield_bonds *bonds,
                              const sherd_elastic_result *elastic, sherd_yield_result *out,
                              sherd_calibration_curve *curve, sherd_error *error)
{
    double amount = STRETCH * YIELD / elastic->strain;
    sherd_bar_path path = {2, {0.0, MAX_STEPS * STEP}, {0.0, MAX_STEPS * amount}};
    sherd_world_def def = sherd_world_def_default();
    def.method = SHERD_METHOD_IMPLICIT;
    def.scheme = SHERD_SCHEME_EULER;
    def.precision = SHERD_PRECISION_DOUBLE;
    def.time_step = STEP;
    def.accuracy = 1e-3;
    sherd_material_def material = material_of(bonds);
    pulling p = {.bar = bar, .elastic = elastic, .curve = curve};
    if (curve != NULL) curve->count = 0;
    sherd_status status =
        sherd_bar_world_create(bar, &def, &material, SHERD_BAR_PULL, &path, &p.world, error);
    if (status != SHERD_OK) return status;
    status = pull_until_it_flows(&p, out, error);
    sherd_world_destroy(p.world.world);
    return status;
}
