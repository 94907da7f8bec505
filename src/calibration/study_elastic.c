// The elastic search: G / E that gives bars the requested Poisson's ratio in tension.
//
// The first estimate is by homogenisation; then bars are pulled, and G / E is corrected by the
// change of the affine solid.
#include "calibration/study.h"

#include <math.h>

// Range of G / E. Below, bonds hardly resist shear; above, Poisson's ratio is far below 0.
static const double G_LOW = 0.01, G_HIGH = 2.0;

// Tolerance for Poisson's ratio. If G / E changes it by less than INDIFFERENT, as in cubic lattices
// along their axes, the solid's G / E is used.
static const double NU_NEAR = 0.003, INDIFFERENT = 0.02;
enum { NU_TRIALS = 8, AFFINE_TRIALS = 5 };

sherd_elastic_bonds sherd_study_elastic_bonds(const sherd_study *s, double g, double shear_weight)
{
    return (sherd_elastic_bonds){
        .law = s->def->law,
        .shear_correction = s->def->shear_correction,
        .bond_radius = s->def->bond_radius,
        .breakage = s->def->breakage,
        .g = g,
        .shear_weight = shear_weight,
    };
}

static sherd_affine_bonds affine_bonds(const sherd_study *s, double g)
{
    sherd_elastic_bonds bonds = sherd_study_elastic_bonds(s, g, 1.0);
    sherd_material_def material = sherd_elastic_material(&bonds);
    return sherd_affine_bonds_of(&material, g);
}

typedef struct moduli {
    double g, youngs_modulus, poissons_ratio; // E relative to that of bonds and to `stiffness`
} moduli;

double sherd_study_stiffness(const sherd_study *s, const sherd_bar *bar, double g)
{
    sherd_affine_bonds bonds = affine_bonds(s, g);
    return bar->own ? 1.0 : sherd_packing_stiffness(bar->packing, &bonds, bar->axis);
}

static sherd_status pull_bars(sherd_study *s, double g, moduli *out)
{
    *out = (moduli){.g = g};
    sherd_elastic_bonds bonds = sherd_study_elastic_bonds(s, g, 1.0);
    for (int k = 0; k < s->bar_count; ++k) {
        sherd_elastic_result *r = &s->pulled[k];
        sherd_status status =
            sherd_elastic_test(&s->bar[k], &bonds, SHERD_BAR_PULL, r, &s->affine[k], s->error);
        if (status != SHERD_OK) return status;
        ++s->out->tests;
        out->youngs_modulus += r->modulus / sherd_study_stiffness(s, &s->bar[k], g) / s->bar_count;
        out->poissons_ratio += r->poissons_ratio / s->bar_count;
    }
    return SHERD_OK;
}

static moduli affine_bars(const sherd_study *s, double g)
{
    moduli m = {.g = g};
    for (int k = 0; k < s->bar_count; ++k) {
        double shear = affine_bonds(s, g).g;
        sherd_affine_moduli a = sherd_affine_moduli_along(&s->affine[k], shear, s->bar[k].axis);
        m.youngs_modulus +=
            a.youngs_modulus / sherd_study_stiffness(s, &s->bar[k], g) / s->bar_count;
        m.poissons_ratio += a.poissons_ratio / s->bar_count;
    }
    return m;
}

// G / E at which the affine solid has this Poisson's ratio, or the nearest possible one: it
// decreases with G.
static double affine_g(const sherd_study *s, double poissons_ratio)
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

// Between `soft` and `stiff`, whose ratios bracket the requested one. The next trial is where the
// affine solid changes by the remaining difference, if that is in the bracket and converges fast.
// Otherwise it is by linear interpolation in log G: for irregular meshes affine steps are twice too
// long and oscillate.
static sherd_status search_between(sherd_study *s, moduli soft, moduli stiff, moduli *found)
{
    double asked = s->def->poissons_ratio, g = affine_g(s, asked);
    sherd_status status = SHERD_OK;
    for (int k = 0; k < NU_TRIALS && status == SHERD_OK; ++k) {
        if (k >= AFFINE_TRIALS || !(g > soft.g * 1.001 && g < stiff.g * 0.999)) {
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

static void keep_elastic(sherd_study *s, const moduli *guess, const moduli *found)
{
    sherd_calibration *out = s->out;
    s->g = found->g;
    out->full.youngs_modulus = 1.0 / found->youngs_modulus;
    out->full.shear_modulus = found->g * out->full.youngs_modulus;
    out->bar_stiffness = 0.0;
    for (int k = 0; k < s->bar_count; ++k)
        out->bar_stiffness += sherd_study_stiffness(s, &s->bar[k], s->g) / s->bar_count;
    out->bar.youngs_modulus = out->full.youngs_modulus / out->bar_stiffness;
    out->bar.shear_modulus = out->full.shear_modulus / out->bar_stiffness;
    out->guess.youngs_modulus = 1.0 / guess->youngs_modulus / out->bar_stiffness;
    out->guess.shear_modulus = guess->g * out->guess.youngs_modulus;
    out->guess_youngs_modulus = 1.0;
    out->guess_poissons_ratio = guess->poissons_ratio;
    out->youngs_modulus = 1.0;
    out->poissons_ratio = found->poissons_ratio;
    for (int k = 0; k < s->bar_count; ++k) {
        out->axis_modulus[k] = s->pulled[k].modulus / sherd_study_stiffness(s, &s->bar[k], s->g) *
                               out->full.youngs_modulus;
        out->axis_poissons_ratio[k] = s->pulled[k].poissons_ratio;
    }
}

// G / E of the ratio nearest to one that is out of reach.
static double nearest_g(const sherd_study *s, const moduli *soft, const moduli *stiff)
{
    double asked = s->def->poissons_ratio;
    if (soft->poissons_ratio - stiff->poissons_ratio < INDIFFERENT) return 0.5 / (1.0 + asked);
    return asked >= soft->poissons_ratio ? G_LOW : G_HIGH;
}

sherd_status sherd_study_elastic(sherd_study *s)
{
    moduli soft, stiff, found;
    double asked = s->def->poissons_ratio;
    sherd_status status = pull_bars(s, G_LOW, &soft);
    if (status == SHERD_OK) status = pull_bars(s, G_HIGH, &stiff);
    if (status != SHERD_OK) return status;
    sherd_calibration *out = s->out;
    out->poissons_low = stiff.poissons_ratio;
    out->poissons_high = soft.poissons_ratio;
    moduli guess = affine_bars(s, affine_g(s, asked));
    out->poissons_ratio_reached =
        asked <= soft.poissons_ratio + NU_NEAR && asked >= stiff.poissons_ratio - NU_NEAR;
    if (asked < soft.poissons_ratio && asked > stiff.poissons_ratio)
        status = search_between(s, soft, stiff, &found);
    else
        status = pull_bars(s, nearest_g(s, &soft, &stiff), &found);
    if (status == SHERD_OK) keep_elastic(s, &guess, &found);
    return status;
}

// ---------------------------------------------------------------- extra tests

// Extra tests of a calibration (`with_table`): bending and torsion moduli, and modulus, Poisson's
// ratio and strength along the other axes, with the calibrated bonds.

// Modulus under one load in units of the requested E, for bonds made for the bar's fraction of
// solid.
static sherd_status show(sherd_study *s, const sherd_bar *bar, sherd_bar_load load, double *modulus,
                         double *poissons_ratio)
{
    sherd_elastic_bonds bonds = sherd_study_elastic_bonds(s, s->g, 1.0);
    sherd_elastic_result r;
    sherd_status status = sherd_elastic_test(bar, &bonds, load, &r, NULL, s->error);
    if (status != SHERD_OK) return status;
    ++s->out->tests;
    *modulus = r.modulus / sherd_study_stiffness(s, bar, s->g) * s->out->full.youngs_modulus;
    if (poissons_ratio != NULL) *poissons_ratio = r.poissons_ratio;
    return SHERD_OK;
}

// Strength of a bar with the calibrated bonds, in tension.
static sherd_status show_strength(sherd_study *s, const sherd_bar *bar, double *strength)
{
    const sherd_calibration_bonds *full = &s->out->full;
    if (!isfinite(full->tensile_strength)) return SHERD_OK;
    sherd_strength_result over = {0};
    sherd_status status = sherd_study_break_bar(
        s, bar, full->shear_strength / full->tensile_strength, SHERD_BAR_PULL, &over, NULL);
    *strength = over.strength * full->tensile_strength;
    return status;
}

static sherd_status show_direction(sherd_study *s, int axis)
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

sherd_status sherd_study_show_more(sherd_study *s)
{
    sherd_calibration *out = s->out;
    sherd_status status = show(s, &s->bar[0], SHERD_BAR_BEND, &out->bending_modulus, NULL);
    if (status == SHERD_OK)
        status = show(s, &s->bar[0], SHERD_BAR_TWIST, &out->torsion_modulus, NULL);
    int directions = s->def->layers > 0 ? 2 : 3; // there is no bar across a plate
    if (out->own_bars) directions = s->bar_count;
    for (int axis = s->bar_count; axis < directions && status == SHERD_OK; ++axis)
        status = show_direction(s, axis);
    return status;
}
