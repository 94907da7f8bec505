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
#include "calibration/homogenise.h"
#include "calibration/strength_test.h"

#include <math.h>
#include <stdio.h>
#include <string.h>
#include <time.h>

static const uint32_t COOKIE = 0x43414c42; // "CALB"

// G / E of bonds tried. Below, bonds hardly resist shear; above, Poisson's ratio is far below 0.
static const double G_LOW = 0.01, G_HIGH = 2.0;

// How near Poisson's ratio is to be found, and how far from what was asked it may be.
static const double NU_NEAR = 0.003, NU_FAR = 0.05;
enum { NU_TRIALS = 8 };

// The same of the logarithm of shear over tensile strength. Bonds' ratios tried lie within LOW, HIGH:
// bonds much weaker in shear would let solids crumble where they are struck.
static const double RATIO_NEAR = 0.1, RATIO_FAR = 0.15;
static const double RATIO_LOW = 0.25, RATIO_HIGH = 5.0;
enum { RATIO_TRIALS = 5 };

// tau_c / sigma_c of bonds whose sigma_c is to play no part.
static const double SHEAR_ONLY = 0.01;

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

// ---------------------------------------------------------------- elastic search

typedef struct study {
    const sherd_calibration_def *def; // without units
    int bar_count;                    // those that decide
    sherd_bar bar[2];                 // along x and y
    sherd_affine affine[2];
    sherd_calibration *out;
    sherd_elastic_result pulled[2]; // of the bonds chosen
    double g;                       // G / E of bonds
    sherd_error *error;
} study;

static sherd_elastic_bonds elastic_bonds(const study *s, double g, double shear_weight)
{
    return (sherd_elastic_bonds){g, shear_weight, s->def->breakage};
}

typedef struct moduli {
    double g, youngs_modulus, poissons_ratio; // E over that of bonds and `stiffness`
} moduli;

static double stiffness(const sherd_bar *bar, double g)
{
    return sherd_packing_stiffness(bar->packing, g, bar->axis);
}

static sherd_status pull_bars(study *s, double g, moduli *out)
{
    *out = (moduli){.g = g};
    sherd_elastic_bonds bonds = elastic_bonds(s, g, 1.0);
    for (int k = 0; k < s->bar_count; ++k) {
        sherd_elastic_result *r = &s->pulled[k];
        sherd_status status =
            sherd_elastic_test(&s->bar[k], &bonds, SHERD_BAR_PULL, r, &s->affine[k], s->error);
        if (status != SHERD_OK) return status;
        ++s->out->tests;
        out->youngs_modulus += r->modulus / stiffness(&s->bar[k], g) / s->bar_count;
        out->poissons_ratio += r->poissons_ratio / s->bar_count;
    }
    return SHERD_OK;
}

static moduli affine_bars(const study *s, double g)
{
    moduli m = {.g = g};
    for (int k = 0; k < s->bar_count; ++k) {
        sherd_affine_moduli a = sherd_affine_moduli_along(&s->affine[k], g, s->bar[k].axis);
        m.youngs_modulus += a.youngs_modulus / stiffness(&s->bar[k], g) / s->bar_count;
        m.poissons_ratio += a.poissons_ratio / s->bar_count;
    }
    return m;
}

// G / E at which the affine solid has this Poisson's ratio, or the nearest there is: it falls with G.
static double affine_g(const study *s, double poissons_ratio)
{
    double low = log(G_LOW), high = log(G_HIGH);
    for (int k = 0; k < 60; ++k) {
        double middle = 0.5 * (low + high);
        if (affine_bars(s, exp(middle)).poissons_ratio > poissons_ratio)
            low = middle;
        else
            high = middle;
    }
    return exp(0.5 * (low + high));
}

static sherd_status refuse_ratio(const study *s, const char *packing)
{
    const sherd_calibration *out = s->out;
    char hint[160];
    snprintf(hint, sizeof hint,
             "ask for a ratio between %.2f and %.2f, or remove calibrate and give bonds' values",
             out->poissons_low, out->poissons_high);
    return sherd_fail(s->error, SHERD_ERROR_INPUT, "poissons_ratio", hint,
                      "%g is out of reach of %s packing: %.2f to %.2f", s->def->poissons_ratio,
                      packing, out->poissons_low, out->poissons_high);
}

static const char *packing_name(const sherd_calibration_def *def)
{
    switch (def->packing.kind) {
    case SHERD_PACKING_HCP:
        return "hcp";
    case SHERD_PACKING_HEX_LAYERS:
        return "layered";
    case SHERD_PACKING_CUBIC:
        return "cubic";
    case SHERD_PACKING_RANDOM:
        return "random";
    case SHERD_PACKING_TETRA:
        return "tetra";
    default:
        return "this";
    }
}

// Between `soft` and `stiff`, whose ratios enclose the asked one. The next trial is where the affine
// solid changes by as much as is missing, as long as that lies between, else where a line in log G
// says.
static sherd_status search_between(study *s, moduli soft, moduli stiff, moduli *found)
{
    double asked = s->def->poissons_ratio, g = affine_g(s, asked);
    sherd_status status = SHERD_OK;
    for (int k = 0; k < NU_TRIALS && status == SHERD_OK; ++k) {
        if (!(g > soft.g * 1.001 && g < stiff.g * 0.999)) {
            double share =
                (soft.poissons_ratio - asked) / (soft.poissons_ratio - stiff.poissons_ratio);
            g = soft.g * pow(stiff.g / soft.g, fmin(fmax(share, 0.1), 0.9));
        }
        status = pull_bars(s, g, found);
        double missing = asked - found->poissons_ratio;
        if (fabs(missing) <= NU_NEAR) break;
        *(missing > 0.0 ? &stiff : &soft) = *found;
        g = affine_g(s, affine_bars(s, g).poissons_ratio + missing);
    }
    return status;
}

static void keep_elastic(study *s, const moduli *guess, const moduli *found)
{
    sherd_calibration *out = s->out;
    s->g = found->g;
    out->full.youngs_modulus = 1.0 / found->youngs_modulus;
    out->full.shear_modulus = found->g * out->full.youngs_modulus;
    out->bar_stiffness = 0.0;
    for (int k = 0; k < s->bar_count; ++k)
        out->bar_stiffness += stiffness(&s->bar[k], s->g) / s->bar_count;
    out->bar.youngs_modulus = out->full.youngs_modulus / out->bar_stiffness;
    out->bar.shear_modulus = out->full.shear_modulus / out->bar_stiffness;
    out->guess.youngs_modulus = 1.0 / guess->youngs_modulus / out->bar_stiffness;
    out->guess.shear_modulus = guess->g * out->guess.youngs_modulus;
    out->guess_youngs_modulus = 1.0;
    out->guess_poissons_ratio = guess->poissons_ratio;
    out->youngs_modulus = 1.0;
    out->poissons_ratio = found->poissons_ratio;
    for (int k = 0; k < s->bar_count; ++k) {
        out->axis_modulus[k] =
            s->pulled[k].modulus / stiffness(&s->bar[k], s->g) * out->full.youngs_modulus;
        out->axis_poissons_ratio[k] = s->pulled[k].poissons_ratio;
    }
}

static sherd_status find_elastic(study *s)
{
    moduli soft, stiff, found;
    double asked = s->def->poissons_ratio;
    sherd_status status = pull_bars(s, G_LOW, &soft);
    if (status == SHERD_OK) status = pull_bars(s, G_HIGH, &stiff);
    if (status != SHERD_OK) return status;
    sherd_calibration *out = s->out;
    out->poissons_low = stiff.poissons_ratio;
    out->poissons_high = soft.poissons_ratio;
    if (asked > soft.poissons_ratio + NU_FAR || asked < stiff.poissons_ratio - NU_FAR)
        return refuse_ratio(s, packing_name(s->def));
    moduli guess = affine_bars(s, affine_g(s, asked));
    out->poissons_ratio_reached =
        asked <= soft.poissons_ratio + NU_NEAR && asked >= stiff.poissons_ratio - NU_NEAR;
    if (asked < soft.poissons_ratio && asked > stiff.poissons_ratio)
        status = search_between(s, soft, stiff, &found);
    else
        status = pull_bars(s, asked >= soft.poissons_ratio ? G_LOW : G_HIGH, &found);
    if (status == SHERD_OK) keep_elastic(s, &guess, &found);
    return status;
}

// ---------------------------------------------------------------- strengths

// Strengths over the bonds' sigma_c and the root of `stiffness`, of bonds with
// tau_c = ratio sigma_c.
typedef struct strengths {
    double ratio, tension, torsion;
    double tension_ratio; // at which tension was found
} strengths;

static sherd_strength_bonds strength_bonds(const study *s, double ratio)
{
    double weight = isfinite(ratio) ? 1.0 / ratio : 0.0;
    return (sherd_strength_bonds){elastic_bonds(s, s->g, weight), s->def->weibull_modulus};
}

// The bar's until it breaks, after its elastic answer.
static sherd_status break_bar(study *s, const sherd_bar *bar, double ratio, sherd_bar_load load,
                              double *strength, sherd_calibration_curve *curve)
{
    sherd_strength_bonds bonds = strength_bonds(s, ratio);
    sherd_elastic_result elastic;
    sherd_status status = sherd_elastic_test(bar, &bonds.elastic, load, &elastic, NULL, s->error);
    if (status == SHERD_OK)
        status = sherd_strength_test(bar, &bonds, load, &elastic, strength, curve, s->error);
    s->out->tests += 2;
    *strength /= sqrt(stiffness(bar, s->g));
    return status;
}

static sherd_status pull_until_broken(study *s, strengths *at)
{
    sherd_status status = SHERD_OK;
    at->tension = 0.0;
    at->tension_ratio = at->ratio;
    for (int k = 0; k < s->bar_count && status == SHERD_OK; ++k) {
        status = break_bar(s, &s->bar[k], at->ratio, SHERD_BAR_PULL, &s->out->axis_strength[k],
                           k == 0 ? &s->out->tension : NULL);
        at->tension += s->out->axis_strength[k] / s->bar_count;
    }
    return status;
}

static sherd_status twist_until_broken(study *s, strengths *at)
{
    return break_bar(s, &s->bar[0], at->ratio, SHERD_BAR_TWIST, &at->torsion, &s->out->torsion);
}

static double limited(double x, double low, double high)
{
    return fmin(fmax(x, low), high);
}

// Finds bonds' tau_c / sigma_c for the asked ratio of strengths. Tension depends on it much less
// than torsion, so that its strength is only looked at again at the end. A twisted solid that breaks
// in tension (across, at 45 degrees) does not get stronger with tau_c: the ratio is kept then. With
// less tau_c it does get weaker, though perhaps not at once.
static sherd_status find_ratio(study *s, strengths *found)
{
    const double slope = 0.7; // d log torsion / d log ratio, where it depends on it
    double asked = s->def->shear_strength / s->def->tensile_strength, nearest = INFINITY;
    strengths at = {.ratio = limited(asked, 0.3, 2.0)};
    sherd_status status = pull_until_broken(s, &at);
    for (int k = 0; k < RATIO_TRIALS && status == SHERD_OK; ++k) {
        status = twist_until_broken(s, &at);
        double missing = log(asked * at.tension / at.torsion);
        bool closer = fabs(missing) < nearest - 0.02;
        if (closer) *found = at, nearest = fabs(missing);
        if (nearest <= RATIO_NEAR || (missing > 0.0 && !closer)) break;
        double factor = exp(missing / slope);
        if (missing < 0.0) factor = limited(factor, 0.5, 0.7);
        double next = limited(at.ratio * factor, RATIO_LOW, RATIO_HIGH);
        if (fabs(log(next / at.ratio)) < 0.02) break;
        at.ratio = next;
    }
    return status;
}

static void keep_strengths(study *s, const strengths *at)
{
    sherd_calibration *out = s->out;
    const sherd_calibration_def *def = s->def;
    bool pulled = isfinite(def->tensile_strength), twisted = isfinite(def->shear_strength);
    double sigma_c =
        pulled ? def->tensile_strength / at->tension : def->shear_strength / at->torsion;
    double tau_c = twisted ? at->ratio * sigma_c : INFINITY, root = sqrt(out->bar_stiffness);
    out->full.tensile_strength = pulled ? sigma_c : INFINITY;
    out->full.shear_strength = tau_c;
    out->bar.tensile_strength = out->full.tensile_strength / root;
    out->bar.shear_strength = tau_c / root;
    out->tensile_strength = pulled ? sigma_c * at->tension : INFINITY;
    out->shear_strength = twisted ? sigma_c * at->torsion : INFINITY;
    out->shear_strength_reached =
        !twisted || fabs(log(out->shear_strength / def->shear_strength)) <= RATIO_FAR;
    for (int k = 0; k < 3; ++k)
        out->axis_strength[k] *= sigma_c;
    // Curves are of bars, whose own bonds are a little stronger than those of a full solid.
    double stress = sigma_c / root, strain = stress / out->bar.youngs_modulus;
    sherd_calibration_curve *curves[2] = {&out->tension, &out->torsion};
    for (int c = 0; c < 2; ++c)
        for (int k = 0; k < curves[c]->count; ++k) {
            curves[c]->stress[k] *= stress;
            curves[c]->strain[k] *= strain;
        }
}

static sherd_status find_strengths(study *s)
{
    const sherd_calibration_def *def = s->def;
    strengths at = {.ratio = INFINITY};
    sherd_status status;
    if (!isfinite(def->tensile_strength)) {
        at.ratio = SHEAR_ONLY;
        status = twist_until_broken(s, &at);
    } else {
        status = SHERD_OK;
        if (isfinite(def->shear_strength)) status = find_ratio(s, &at);
        if (status == SHERD_OK && at.tension_ratio != at.ratio) status = pull_until_broken(s, &at);
    }
    if (status == SHERD_OK) keep_strengths(s, &at);
    return status;
}

static void no_strengths(sherd_calibration *out)
{
    sherd_calibration_bonds *bonds[3] = {&out->full, &out->bar, &out->guess};
    for (int k = 0; k < 3; ++k)
        bonds[k]->tensile_strength = bonds[k]->shear_strength = INFINITY;
    out->tensile_strength = out->shear_strength = INFINITY;
    out->shear_strength_reached = true;
}

// ---------------------------------------------------------------- for the table

// Modulus of one load in units of the asked E, as the bars above show it: with bonds made for their
// share of the volume.
static sherd_status show(study *s, const sherd_bar *bar, sherd_bar_load load, double *modulus,
                         double *poissons_ratio)
{
    sherd_elastic_bonds bonds = elastic_bonds(s, s->g, 1.0);
    sherd_elastic_result r;
    sherd_status status = sherd_elastic_test(bar, &bonds, load, &r, NULL, s->error);
    if (status != SHERD_OK) return status;
    ++s->out->tests;
    *modulus = r.modulus / stiffness(bar, s->g) * s->out->full.youngs_modulus;
    if (poissons_ratio != NULL) *poissons_ratio = r.poissons_ratio;
    return SHERD_OK;
}

// A bar of the bonds found, pulled until it breaks.
static sherd_status show_strength(study *s, const sherd_bar *bar, double *strength)
{
    const sherd_calibration_bonds *full = &s->out->full;
    if (!isfinite(full->tensile_strength)) return SHERD_OK;
    double over;
    sherd_status status = break_bar(s, bar, full->shear_strength / full->tensile_strength,
                                    SHERD_BAR_PULL, &over, NULL);
    *strength = over * full->tensile_strength;
    return status;
}

static sherd_status show_direction(study *s, int axis)
{
    sherd_calibration *out = s->out;
    sherd_bar bar;
    sherd_status status = sherd_bar_init(&bar, s->def, axis, s->error);
    if (status != SHERD_OK) return status;
    status =
        show(s, &bar, SHERD_BAR_PULL, &out->axis_modulus[axis], &out->axis_poissons_ratio[axis]);
    if (status == SHERD_OK) status = show_strength(s, &bar, &out->axis_strength[axis]);
    sherd_bar_free(&bar);
    return status;
}

static sherd_status show_more(study *s)
{
    sherd_calibration *out = s->out;
    sherd_status status = show(s, &s->bar[0], SHERD_BAR_BEND, &out->bending_modulus, NULL);
    if (status == SHERD_OK)
        status = show(s, &s->bar[0], SHERD_BAR_TWIST, &out->torsion_modulus, NULL);
    int directions = s->def->layers > 0 ? 2 : 3; // there is no bar across a plate
    for (int axis = s->bar_count; axis < directions && status == SHERD_OK; ++axis)
        status = show_direction(s, axis);
    return status;
}

// ---------------------------------------------------------------- all of it

static sherd_status study_bars(study *s)
{
    sherd_status status = find_elastic(s);
    if (status == SHERD_OK) {
        no_strengths(s->out);
        if (s->def->breakage != SHERD_BREAKAGE_NONE) status = find_strengths(s);
    }
    if (status == SHERD_OK && s->def->with_table) status = show_more(s);
    return status;
}

static sherd_status run_tests(const sherd_calibration_def *unit, sherd_calibration *out,
                              sherd_error *error)
{
    study s = {.def = unit, .out = out, .error = error, .bar_count = bars_that_decide(unit)};
    sherd_status status = SHERD_OK;
    for (int k = 0; k < s.bar_count && status == SHERD_OK; ++k)
        status = sherd_bar_init(&s.bar[k], unit, k, error);
    if (status == SHERD_OK) {
        out->elements = s.bar[0].packing->count;
        status = study_bars(&s);
    }
    for (int k = 0; k < 2; ++k)
        sherd_bar_free(&s.bar[k]);
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
    double measure = sherd_body_stiffness(body, full->shear_modulus / full->youngs_modulus);
    double root = sqrt(measure);
    material->youngs_modulus = full->youngs_modulus / measure;
    material->shear_modulus = full->shear_modulus / measure;
    material->tensile_strength = full->tensile_strength / root;
    material->shear_strength = full->shear_strength / root;
    material->density /= sherd_packing_fill(body);
}
