// The search for bonds, in this order:
//
//      homogenise      G / E that gives the asked Poisson's ratio, for the affine solid
//      elastic search  the same for bars, pulled
//      strengths       tau_c / sigma_c that gives the asked ratio of strengths, torsion and tension
//      scale           to the asked E and strength: everything is linear in them
//
// Bars are of some size, and their outermost elements lack bonds. What a bar shows is therefore
// referred to sherd_packing_stiffness. Moduli are proportional to it, for bars of 8 to 28 radii: within
// 1.5 % of hcp, 1 % of tetrahedra, 2.5 % of random packings (of 1000 elements, by chance). Strengths
// are to its root, within 3 % of hcp: grips weigh more on large bars.
#include "base/error.h"
#include "calibration/cache.h"
#include "calibration/cut.h"
#include "calibration/study.h"

#include <math.h>
#include <string.h>
#include <time.h>

static const uint32_t COOKIE = 0x43414c42; // "CALB"

sherd_calibration_def sherd_calibration_def_default(void)
{
    return (sherd_calibration_def){
        .cookie = COOKIE,
        .packing = sherd_packing_def_default(),
        .bond_reach = sherd_body_def_default().bond_reach,
        .youngs_modulus = 1e9,
        .poissons_ratio = 0.2,
        .tensile_strength = INFINITY,
        .shear_strength = INFINITY,
        .bar_width = 16.0,
    };
}

// ---------------------------------------------------------------- what is asked

static sherd_status refuse(sherd_error *error, const char *where, const char *hint, double value)
{
    return sherd_fail(error, SHERD_ERROR_INPUT, where, hint, "got %g", value);
}

static bool positive(double value, double most)
{
    return value > 0.0 && value <= most; // false for not-a-number
}

static sherd_status check_def(const sherd_calibration_def *def, sherd_error *error)
{
    if (def == NULL || def->cookie != COOKIE)
        return sherd_fail(error, SHERD_ERROR_INPUT, "calibration",
                          "start from sherd_calibration_def_default()",
                          "definition not initialised");
    if (!positive(def->youngs_modulus, 1e300))
        return refuse(error, "youngs_modulus", "must be > 0 and finite, in pascals",
                      def->youngs_modulus);
    if (!(def->poissons_ratio > -1.0 && def->poissons_ratio <= 0.5))
        return refuse(error, "poissons_ratio", "must be > -1 and at most 0.5", def->poissons_ratio);
    if (!positive(def->tensile_strength, INFINITY))
        return refuse(error, "tensile_strength", "must be > 0, or infinite", def->tensile_strength);
    if (!positive(def->shear_strength, INFINITY))
        return refuse(error, "shear_strength", "must be > 0, or infinite", def->shear_strength);
    if (!(def->weibull_modulus == 0.0 || def->weibull_modulus >= 1.0) ||
        isinf(def->weibull_modulus))
        return refuse(error, "weibull_modulus", "must be 0 or at least 1", def->weibull_modulus);
    if (!(def->bar_width >= 8.0 && def->bar_width <= 64.0))
        return refuse(error, "bar_width", "must be within [8, 64] radii", def->bar_width);
    if (!(def->bond_reach >= 0.0 && def->bond_reach <= 1.0))
        return refuse(error, "bond_reach", "must be within [0, 1]", def->bond_reach);
    if (def->layers < 0 || def->layers > 4)
        return refuse(error, "layers", "must be within [0, 4]", def->layers);
    if ((unsigned)def->breakage > SHERD_BREAKAGE_NONE)
        return refuse(error, "breakage", "not one of sherd_breakage", def->breakage);
    return SHERD_OK;
}

// The strength that others are measured by; 0 when there is none.
static double unit_strength(const sherd_calibration_def *def)
{
    if (def->breakage == SHERD_BREAKAGE_NONE) return 0.0;
    if (isfinite(def->tensile_strength)) return def->tensile_strength;
    return isfinite(def->shear_strength) ? def->shear_strength : 0.0;
}

// The same task in units of E and of a strength, without what does not matter.
static sherd_calibration_def without_units(const sherd_calibration_def *def)
{
    sherd_calibration_def unit = *def;
    double strength = unit_strength(def);
    unit.packing.radius = SHERD_BAR_RADIUS;
    unit.youngs_modulus = 1.0;
    if (strength > 0.0) {
        unit.tensile_strength = def->tensile_strength / strength;
        unit.shear_strength = def->shear_strength / strength;
    } else {
        unit.breakage = SHERD_BREAKAGE_NONE;
        unit.tensile_strength = unit.shear_strength = INFINITY;
        unit.weibull_modulus = 0.0;
    }
    return unit;
}

// Lattices refer to bars along their rows: bodies have them along their longest extent, they are
// weakest that way, and bars across differ only by what their sides lack. Where packings have no such
// direction two bars are better than one.
static int bars_that_decide(const sherd_calibration_def *def)
{
    sherd_packing_kind kind = def->packing.kind;
    bool has_rows = kind == SHERD_PACKING_HCP || kind == SHERD_PACKING_HEX_LAYERS ||
                    kind == SHERD_PACKING_CUBIC;
    return has_rows ? 1 : 2;
}

// ---------------------------------------------------------------- all of it

static sherd_status study_bars(sherd_study *s)
{
    sherd_status status = sherd_study_elastic(s);
    if (status == SHERD_OK) {
        sherd_study_no_strengths(s->out);
        if (s->def->breakage != SHERD_BREAKAGE_NONE) status = sherd_study_strengths(s);
    }
    if (status == SHERD_OK && s->def->with_table) status = sherd_study_show_more(s);
    return status;
}

// Static tests are quick, and bars the less affected by how their sides are cut the wider they are.
static const double WIDER = 1.5;

// The k-th bar out of the body; false where there is no room.
static sherd_status cut_bar(sherd_study *s, int k, bool *found)
{
    const sherd_calibration_def *def = s->def;
    bool narrow = false;
    sherd_status status = sherd_bar_cut(&s->bar[k], def->body, WIDER * def->bar_width, k,
                                        def->threads, found, s->error);
    if (status == SHERD_OK && *found && def->breakage != SHERD_BREAKAGE_NONE)
        status = sherd_bar_cut(&s->narrow[k], def->body, def->bar_width, k, def->threads, &narrow,
                               s->error);
    if (narrow) s->broken[k] = &s->narrow[k];
    return status;
}

// A second one only where the body is about as long that way. None when there is no room: bars are
// made of the packing's kind then.
static sherd_status cut_bars(sherd_study *s)
{
    int count = 0;
    bool found = s->def->body != NULL;
    sherd_status status = SHERD_OK;
    for (int k = 0; k < 2 && found && status == SHERD_OK; ++k) {
        status = cut_bar(s, k, &found);
        count += found;
    }
    s->out->own_bars = count > 0;
    if (count > 0) s->bar_count = count;
    return status;
}

static sherd_status get_bars(sherd_study *s)
{
    sherd_status status = cut_bars(s);
    for (int k = 0; k < s->bar_count && status == SHERD_OK && !s->out->own_bars; ++k)
        status = sherd_bar_init(&s->bar[k], s->def, k, s->error);
    return status;
}

static sherd_status run_tests(const sherd_calibration_def *unit, sherd_calibration *out,
                              sherd_error *error)
{
    sherd_study s = {.def = unit, .out = out, .error = error, .bar_count = bars_that_decide(unit)};
    for (int k = 0; k < 2; ++k)
        s.broken[k] = &s.bar[k];
    sherd_status status = get_bars(&s);
    if (status == SHERD_OK) {
        out->elements = s.bar[0].packing->count;
        status = study_bars(&s);
    }
    for (int k = 0; k < 2; ++k) {
        sherd_bar_free(&s.bar[k]);
        sherd_bar_free(&s.narrow[k]);
    }
    return status;
}

static void scale_bonds(sherd_calibration_bonds *bonds, double E, double strength)
{
    bonds->youngs_modulus *= E;
    bonds->shear_modulus *= E;
    bonds->tensile_strength *= strength;
    bonds->shear_strength *= strength;
}

static void scale_curve(sherd_calibration_curve *curve, double E, double strength)
{
    for (int k = 0; k < curve->count; ++k) {
        curve->stress[k] *= strength;
        curve->strain[k] *= strength / E;
    }
}

// From units of E and a strength to pascals.
static void scale(sherd_calibration *out, double E, double strength)
{
    scale_bonds(&out->full, E, strength);
    scale_bonds(&out->bar, E, strength);
    scale_bonds(&out->guess, E, strength);
    double *moduli_of[] = {&out->youngs_modulus,  &out->guess_youngs_modulus, &out->axis_modulus[0],
                           &out->axis_modulus[1], &out->axis_modulus[2],      &out->bending_modulus,
                           &out->torsion_modulus};
    for (size_t k = 0; k < sizeof moduli_of / sizeof moduli_of[0]; ++k)
        *moduli_of[k] *= E;
    double *strengths_of[] = {&out->tensile_strength, &out->shear_strength, &out->axis_strength[0],
                              &out->axis_strength[1], &out->axis_strength[2]};
    for (size_t k = 0; k < sizeof strengths_of / sizeof strengths_of[0]; ++k)
        *strengths_of[k] *= strength;
    scale_curve(&out->tension, E, strength);
    scale_curve(&out->torsion, E, strength);
}

static double seconds_now(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

sherd_status sherd_calibrate(const sherd_calibration_def *def, sherd_calibration *out,
                             sherd_error *error)
{
    sherd_error_clear(error);
    *out = (sherd_calibration){0};
    sherd_status status = check_def(def, error);
    if (status != SHERD_OK) return status;
    double start = seconds_now(), strength = unit_strength(def);
    sherd_calibration_def unit = without_units(def);
    sherd_calibration_key key = sherd_calibration_key_of(&unit);
    bool cached = !def->with_table && sherd_calibration_cache_read(def->cache_folder, &key, out);
    if (!cached) {
        status = run_tests(&unit, out, error);
        if (status != SHERD_OK) return status;
        sherd_calibration_cache_write(def->cache_folder, &key, out);
    }
    scale(out, def->youngs_modulus, strength > 0.0 ? strength : 1.0);
    out->cached = cached;
    out->seconds = seconds_now() - start;
    return SHERD_OK;
}

bool sherd_calibration_same(const sherd_calibration_def *a, const sherd_calibration_def *b)
{
    sherd_calibration_def unit_a = without_units(a), unit_b = without_units(b);
    sherd_calibration_key key_a = sherd_calibration_key_of(&unit_a);
    sherd_calibration_key key_b = sherd_calibration_key_of(&unit_b);
    return a->youngs_modulus == b->youngs_modulus && unit_strength(a) == unit_strength(b) &&
           strcmp(key_a.text, key_b.text) == 0;
}

void sherd_calibration_apply(const sherd_calibration *calibration, const sherd_packing *body,
                             sherd_material_def *material)
{
    const sherd_calibration_bonds *full = &calibration->full;
    double g = full->shear_modulus / full->youngs_modulus;
    double measure = calibration->own_bars ? 1.0 : sherd_body_stiffness(body, g);
    double root = sqrt(measure);
    material->youngs_modulus = full->youngs_modulus / measure;
    material->shear_modulus = full->shear_modulus / measure;
    material->tensile_strength = full->tensile_strength / root;
    material->shear_strength = full->shear_strength / root;
    material->density /= sherd_packing_fill(body);
}
