// Calibration of strengths: tau_c / sigma_c for the requested ratio of the strengths in torsion and
// tension, then sigma_c.
#include "calibration/study.h"

#include "base/assertion.h"

#include <math.h>

// Tolerance of the logarithm of shear over tensile strength, and its largest accepted error. Bonds'
// ratios are tried within LOW, HIGH: with bonds much weaker in shear, solids would crumble under
// impact.
static const double RATIO_NEAR = 0.1, RATIO_FAR = 0.15;
static const double RATIO_LOW = 0.25, RATIO_HIGH = 5.0;
enum { RATIO_TRIALS = 5 };

// Fraction of the compressive strength that suffices, and the bonds' ratio beyond which it does not
// increase (random: 4.7, 5.3, 6.3 and 6.6 times the tensile strength at 1.7, 2.6, 3.9 and
// infinity).
static const double CRUSH_NEAR = 0.9, CRUSH_HIGH = 8.0;

// tau_c / sigma_c of bonds for which sigma_c is irrelevant.
static const double SHEAR_ONLY = 0.01;

// Strengths over the bonds' sigma_c and the square root of `stiffness`, for bonds with tau_c =
// ratio sigma_c.
typedef struct strengths {
    double ratio, tension, torsion;
    double tension_ratio; // at which tension was measured
    double pressed;       // 0: not tested
    bool sheared;         // bonds of the twisted bar broke by shear
    bool tears;           // a twisted bar breaks by tension below the requested shear strength
} strengths;

static sherd_strength_bonds strength_bonds(const sherd_study *s, double ratio)
{
    double weight = isfinite(ratio) ? 1.0 / ratio : 0.0;
    return (sherd_strength_bonds){sherd_study_elastic_bonds(s, s->g, weight),
                                  s->def->weibull_modulus, s->size};
}

// Strength of the bar, after its elastic test.
sherd_status sherd_study_break_bar(sherd_study *s, const sherd_bar *bar, double ratio,
                                   sherd_bar_load load, sherd_strength_result *out,
                                   sherd_calibration_curve *curve)
{
    sherd_strength_bonds bonds = strength_bonds(s, ratio);
    sherd_elastic_result elastic;
    sherd_status status = sherd_elastic_test(bar, &bonds.elastic, load, &elastic, NULL, s->error);
    double root = sqrt(sherd_study_stiffness(s, bar, s->g));
    sherd_strength_range near = {root * s->near.low, root * s->near.high};
    if (status == SHERD_OK)
        status = sherd_strength_test(bar, &bonds, load, &elastic, &near, out, curve, s->error);
    s->out->tests += 2;
    out->strength /= root, out->most /= root;
    return status;
}

bool sherd_study_softens(const sherd_study *s)
{
    return s->def->fracture_energy > 0.0;
}

sherd_status sherd_study_pull(sherd_study *s, double ratio, double *strength)
{
    SHERD_ASSERT(s->bar_count > 0, "a study has bars");
    sherd_status status = SHERD_OK;
    *strength = s->out->stretched_strength = 0.0;
    for (int k = 0; k < s->bar_count && status == SHERD_OK; ++k) {
        sherd_strength_result r = {0};
        status = sherd_study_break_bar(s, s->broken[k], ratio, SHERD_BAR_PULL, &r,
                                       k == 0 ? &s->out->tension : NULL);
        s->out->axis_strength[k] = r.strength;
        *strength += r.strength / s->bar_count;
        s->out->stretched_strength += r.most / s->bar_count;
    }
    return status;
}

static sherd_status pull_until_broken(sherd_study *s, strengths *at)
{
    at->tension_ratio = at->ratio;
    return sherd_study_pull(s, at->ratio, &at->tension);
}

static sherd_status twist_until_broken(sherd_study *s, strengths *at)
{
    sherd_strength_result r = {0};
    sherd_status status =
        sherd_study_break_bar(s, s->broken[0], at->ratio, SHERD_BAR_TWIST, &r, &s->out->torsion);
    at->torsion = r.strength;
    at->sheared = r.sheared;
    return status;
}

static double limited(double x, double low, double high)
{
    return fmin(fmax(x, low), high);
}

// Finds the bonds' tau_c / sigma_c for the requested ratio of strengths. Tension depends on it much
// less than torsion, so that the tensile strength is measured again only at the end. A twisted
// solid that breaks in tension (across, at 45 degrees) does not become stronger with tau_c: the
// ratio is then not changed, immediately if no bond broke by shear. With smaller tau_c it does
// become weaker, but maybe not at once.
static sherd_status find_ratio(sherd_study *s, strengths *found)
{
    const double slope = 0.7; // d log torsion / d log ratio, where it depends on it
    double asked = s->def->shear_strength / s->def->tensile_strength, nearest = INFINITY;
    bool tears = false;
    strengths at = {.ratio = limited(asked, 0.3, 2.0)};
    sherd_status status = pull_until_broken(s, &at);
    for (int k = 0; k < RATIO_TRIALS && status == SHERD_OK; ++k) {
        status = twist_until_broken(s, &at);
        double missing = log(asked * at.tension / at.torsion);
        bool closer = fabs(missing) < nearest - 0.02;
        if (closer) *found = at, nearest = fabs(missing), tears = missing > RATIO_NEAR;
        if (nearest <= RATIO_NEAR || (missing > 0.0 && !(closer && at.sheared))) break;
        double factor = exp(missing / slope);
        if (missing < 0.0) factor = limited(factor, 0.5, 0.7);
        double next = limited(at.ratio * factor, RATIO_LOW, RATIO_HIGH);
        if (fabs(log(next / at.ratio)) < 0.02) break;
        at.ratio = next;
    }
    found->tears = tears;
    return status;
}

// Compressive strength, up to `enough`.
static sherd_status crush(sherd_study *s, const sherd_bar *bar, double ratio, double enough,
                          double *strength)
{
    sherd_strength_bonds bonds = strength_bonds(s, ratio);
    sherd_elastic_result elastic;
    double root = sqrt(sherd_study_stiffness(s, bar, s->g));
    sherd_status status =
        sherd_elastic_test(bar, &bonds.elastic, SHERD_BAR_PULL, &elastic, NULL, s->error);
    if (status == SHERD_OK)
        status = sherd_crush_test(bar, &bonds, &elastic, enough * root, strength, s->error);
    s->out->tests += 2;
    *strength /= root;
    return status;
}

// If a twisted bar breaks by tension, its requested shear strength c is only a lower bound. It then
// defines the compressive strength of a solid with tensile strength f that follows Coulomb in shear
// and Rankine in tension: 4 c^2 / f. The bonds' tau_c is increased until the solid reaches it, or
// until it has no effect; otherwise a solid compressed through a small face would be crushed there,
// where it should split.
static sherd_status raise_ratio(sherd_study *s, const sherd_bar *bar, strengths *at)
{
    double c = s->def->shear_strength / s->def->tensile_strength,
           wanted = 4.0 * c * c * at->tension;
    double low = at->ratio, high = CRUSH_HIGH, weak = 0.0, strong = 0.0;
    sherd_status status = crush(s, bar, low, wanted, &weak);
    at->pressed = fmin(weak, wanted);
    if (status != SHERD_OK || weak >= CRUSH_NEAR * wanted) return status;
    status = crush(s, bar, high, INFINITY, &strong);
    if (status != SHERD_OK) return status;
    at->pressed = fmin(fmax(strong, weak), wanted);
    at->ratio = high;
    if (strong > wanted && strong > weak)
        at->ratio = low * pow(high / low, log(wanted / weak) / log(strong / weak));
    return status;
}

// Lattices are compressed across their rows, where inclined bonds slide: hcp with bonds of 1.66
// carries 4 times as much along rows.
static sherd_status find_crushing(sherd_study *s, strengths *at)
{
    if (s->out->own_bars || s->bar_count > 1) return raise_ratio(s, s->broken[0], at);
    sherd_bar across;
    sherd_status status = sherd_bar_init(&across, s->def, 1, s->error);
    if (status != SHERD_OK) return status;
    status = raise_ratio(s, &across, at);
    sherd_bar_free(&across);
    return status;
}

static void keep_strengths(sherd_study *s, const strengths *at)
{
    sherd_calibration *out = s->out;
    const sherd_calibration_def *def = s->def;
    bool pulled = isfinite(def->tensile_strength), twisted = isfinite(def->shear_strength);
    double sigma_c =
        pulled ? def->tensile_strength / at->tension : def->shear_strength / at->torsion;
    if (s->out_of_reach) sigma_c = sherd_study_strongest(s);
    double tau_c = twisted ? at->ratio * sigma_c : INFINITY, root = sqrt(out->bar_stiffness);
    out->full.tensile_strength = pulled ? sigma_c : INFINITY;
    out->full.shear_strength = tau_c;
    out->bar.tensile_strength = out->full.tensile_strength / root;
    out->bar.shear_strength = tau_c / root;
    out->tensile_strength = pulled ? sigma_c * at->tension : INFINITY;
    out->shear_strength = twisted ? sigma_c * at->torsion : INFINITY;
    out->tensile_strength_reached = !s->out_of_reach;
    out->shear_strength_reached =
        !twisted || fabs(log(out->shear_strength / def->shear_strength)) <= RATIO_FAR;
    out->stretched_strength *= sigma_c;
    out->pressed_strength = sigma_c * at->pressed;
    for (int k = 0; k < 3; ++k)
        out->axis_strength[k] *= sigma_c;
    // Curves are those of bars, whose bonds must be slightly stronger than those of a full solid.
    double stress = sigma_c / root, strain = stress / out->bar.youngs_modulus;
    sherd_calibration_curve *curves[2] = {&out->tension, &out->torsion};
    for (int c = 0; c < 2; ++c)
        for (int k = 0; k < curves[c]->count; ++k) {
            curves[c]->stress[k] *= stress;
            curves[c]->strain[k] *= strain;
        }
}

static sherd_status find_shear(sherd_study *s, strengths *at)
{
    at->ratio = SHEAR_ONLY;
    return twist_until_broken(s, at);
}

static sherd_status find_tension(sherd_study *s, strengths *at)
{
    sherd_status status = SHERD_OK;
    if (isfinite(s->def->shear_strength)) status = find_ratio(s, at);
    if (status == SHERD_OK && at->tension_ratio != at->ratio) status = pull_until_broken(s, at);
    return status;
}

// The ratio of bonds' strengths is that of bars with brittle bonds: with softening, a twisted bar
// carries more than the largest stress of an elastic one indicates, as does a softening solid.
static sherd_status find_softening(sherd_study *s, strengths *at)
{
    double snapping = at->tension;
    sherd_status status = sherd_study_tear(s, at->ratio);
    if (status == SHERD_OK) status = sherd_study_pull_brittle(s, at->ratio, &at->tension);
    if (status == SHERD_OK && !s->out_of_reach) {
        at->tension = sherd_study_guess_size(s, snapping);
        if (at->tears) status = find_crushing(s, at);
        if (status == SHERD_OK) status = sherd_study_pull_softening(s, at->ratio, &at->tension);
    }
    at->torsion *= at->tension / snapping;
    return status;
}

static sherd_status find_snapping(sherd_study *s, strengths *at)
{
    if (!at->tears) return SHERD_OK;
    sherd_status status = find_crushing(s, at);
    return status == SHERD_OK && at->ratio != at->tension_ratio ? pull_until_broken(s, at) : status;
}

sherd_status sherd_study_strengths(sherd_study *s)
{
    strengths at = {.ratio = INFINITY};
    sherd_status status;
    s->near = (sherd_strength_range){0.0, INFINITY};
    if (!isfinite(s->def->tensile_strength))
        status = find_shear(s, &at);
    else
        status = find_tension(s, &at);
    if (status == SHERD_OK)
        status = sherd_study_softens(s) ? find_softening(s, &at) : find_snapping(s, &at);
    if (status != SHERD_OK) return status;
    keep_strengths(s, &at);
    if (sherd_study_softens(s)) sherd_study_keep_fracture(s);
    return status;
}

void sherd_study_no_strengths(sherd_calibration *out)
{
    sherd_calibration_bonds *bonds[3] = {&out->full, &out->bar, &out->guess};
    for (int k = 0; k < 3; ++k)
        bonds[k]->tensile_strength = bonds[k]->shear_strength = INFINITY;
    out->tensile_strength = out->shear_strength = INFINITY;
    out->tensile_strength_reached = out->shear_strength_reached = true;
}
